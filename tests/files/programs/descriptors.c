// expect: flags --sym-stdin 3 --time 30s
// expect: branches 30 covered 20
// expect: output file made
// expect: output stdout
// Descriptors: dup2 onto standard output, a pipe, exclusive creation, rename and unlink.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  char bytes[4] = "", back[4] = "";
  struct stat state;
  int ends[2], kept, file;
  ssize_t size = read(0, bytes, 3);
  if (size < 2)
    return 1;
  if (pipe(ends) != 0 || write(ends[1], bytes, 2) != 2)
    return 2;
  close(ends[1]);
  if (read(ends[0], back, 4) != 2 || back[0] != bytes[0])
    return 3;
  file = open("made", O_WRONLY | O_CREAT | O_EXCL, 0640);
  if (file < 0 || open("made", O_WRONLY | O_CREAT | O_EXCL, 0640) >= 0)
    return 4;
  kept = dup(1);
  dup2(file, 1);
  printf("%c%c", back[0], back[1]);
  fflush(stdout);
  dup2(kept, 1);
  printf("shown\n");
  if (bytes[0] == 'r' && rename("made", "moved") != 0)
    return 5;
  if (bytes[0] == 'u' && unlink("made") != 0)
    return 6;
  if (stat("made", &state) == 0) {
    if ((state.st_mode & 0777) != 0640 || state.st_size != 2)
      return 7;
    return 8;
  }
  return bytes[1] == 'x' ? 9 : 0;
}
