/* Tests that try to leave the sandbox. Each harness counts in `got` what it got and should not have
 * got. They call the system itself, since functions of the C library may be those of the runtime. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "labrys.h"

static void tell(int got) { labrys_output("got", &got, sizeof got); }

static const char *outside_path(void) {
  static char path[256];
  labrys_symbolic(path, sizeof path, "path");
  return path;
}

void labrys_harness_second_chroot(void) {
  const char *path = outside_path();
  int i, got = 0, here = open(".", O_RDONLY);
  mkdir("x", 0700);
  got += syscall(SYS_chroot, "x") == 0;
  if (fchdir(here) != 0)
    got++;
  for (i = 0; i < 64; i++)
    if (chdir("..") != 0)
      break;
  got += syscall(SYS_chroot, ".") == 0;
  got += open(path, O_RDONLY) >= 0 || open(path + 1, O_RDONLY) >= 0;
  got += open("etc/passwd", O_RDONLY) >= 0 || open("/etc/passwd", O_RDONLY) >= 0;
  tell(got);
}

void labrys_harness_inherited_files(void) {
  int i, got = 0;
  for (i = 3; i < 1024; i++)
    got += fcntl(i, F_GETFD) >= 0;
  for (i = 0; i < 3; i++)
    got += fchdir(i) == 0 || openat(i, "..", O_RDONLY) >= 0;
  tell(got);
}

void labrys_harness_write_outside(void) {
  const char *path = outside_path();
  char other[300];
  snprintf(other, sizeof other, "%s.new", path);
  tell((open(path, O_WRONLY) >= 0) + (open(other, O_WRONLY | O_CREAT, 0600) >= 0) +
       (truncate(path, 0) == 0) + (link(path, "l") == 0) + (mkdir(other, 0700) == 0));
}

void labrys_harness_delete_outside(void) {
  const char *path = outside_path();
  char other[300];
  snprintf(other, sizeof other, "%s.moved", path);
  tell((rename(path, other) == 0) + (unlink(path) == 0) + (unlink("../result") == 0) +
       (unlink("../../result") == 0) + (unlink("../../report") == 0) + (rename("../../job", "j") == 0));
}

/* What a signal did is seen by others: the next test runs, and the process outside lives. */
void labrys_harness_kill_others(void) {
  static const int signals[] = {SIGKILL, SIGSTOP, SIGTERM, SIGSEGV};
  int outside = labrys_int("pid"), got = 0;
  unsigned i;
  for (i = 0; i < 4; i++) {
    syscall(SYS_kill, syscall(SYS_getppid), signals[i]);
    got += syscall(SYS_kill, outside, signals[i]) == 0;
  }
  tell(got);
}

void labrys_harness_kill_all(void) {
  syscall(SYS_kill, -1, SIGKILL);
  tell(0);
}

void labrys_harness_look_into_others(void) {
  int got = 0, pids[3] = {1, (int)syscall(SYS_getppid), labrys_int("pid")}, i;
  char byte, path[64];
  static const char *const files[] = {"environ", "mem", "maps", "root/etc/passwd", "cwd"};
  for (i = 0; i < 3; i++) {
    struct iovec here = {&byte, 1}, there = {(void *)tell, 1};
    unsigned n;
    got += syscall(SYS_ptrace, PTRACE_ATTACH, pids[i], 0, 0) == 0;
    got += syscall(SYS_process_vm_readv, pids[i], &here, 1, &there, 1, 0) == 1;
    got += syscall(SYS_pidfd_open, pids[i], 0) >= 0;
    for (n = 0; n < sizeof files / sizeof *files; n++) {
      snprintf(path, sizeof path, "/proc/%d/%s", pids[i], files[n]);
      got += open(path, O_RDONLY) >= 0;
    }
  }
  tell(got);
}

void labrys_harness_network(void) {
  struct sockaddr_in address = {0};
  int pair[2], got = 0, file = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_family = AF_INET;
  address.sin_port = htons((unsigned short)labrys_int("port"));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  got += connect(file, (struct sockaddr *)&address, sizeof address) == 0;
  got += file >= 0;
  got += socket(AF_INET6, SOCK_DGRAM, 0) >= 0;
  got += socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
  got += socket(AF_NETLINK, SOCK_RAW, 0) >= 0;
  got += socket(AF_PACKET, SOCK_RAW, 0) >= 0;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
    got += 100; /* within a test they are allowed */
  tell(got);
}

void labrys_harness_fork_bomb(void) {
  int started = 0, i;
  for (i = 0; i < 500; i++) {
    long child = syscall(SYS_fork);
    if (child == 0)
      for (;;)
        pause();
    started += child > 0;
  }
  tell(started > 100);
}

void labrys_harness_fill_disk(void) {
  static char block[1 << 16];
  long bytes = 0;
  int i, n;
  for (i = 0; i < 512; i++) {
    char name[32];
    int file;
    snprintf(name, sizeof name, "f%d", i);
    file = open(name, O_WRONLY | O_CREAT, 0600);
    for (n = 0; n < 15; n++) {
      ssize_t done = write(file, block, sizeof block);
      bytes += done > 0 ? done : 0;
    }
    close(file);
  }
  tell(bytes > 257l << 20);
}

void labrys_harness_many_files(void) {
  int i, made = 0;
  for (i = 0; i < 20000; i++) {
    char name[32];
    snprintf(name, sizeof name, "f%d", i);
    int file = open(name, O_WRONLY | O_CREAT, 0600);
    made += file >= 0;
    close(file);
  }
  tell(made > 17000);
}

/* Deeper than any path can say, and protected. */
void labrys_harness_deep_directories(void) {
  int i;
  for (i = 0; i < 3000; i++)
    if (mkdir("directory-with-a-long-name", 0700) != 0 || chdir("directory-with-a-long-name") != 0)
      break;
  close(open("file", O_WRONLY | O_CREAT, 0));
  chmod(".", 0);
  chmod("/directory-with-a-long-name", 0);
  tell(i < 3000);
}

void labrys_harness_finds_nothing(void) {
  DIR *entries = opendir("/");
  struct dirent *entry;
  int got = 0, file = open("new", O_WRONLY | O_CREAT, 0600), i;
  got += write(file, "x", 1) != 1;
  unlink("new");
  while ((entry = readdir(entries)) != NULL)
    got += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
           strcmp(entry->d_name, ".labrys-counters") != 0;
  closedir(entries);
  for (i = 2; i < 2000; i++)
    got += i != syscall(SYS_getpid) && syscall(SYS_kill, i, 0) == 0;
  tell(got);
}

void labrys_harness_all_memory(void) {
  long bytes = 0;
  while (bytes < 4l << 30 && mmap(NULL, 1 << 26, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
    bytes += 1 << 26;
  tell(bytes > 1l << 30);
}

void labrys_harness_become_somebody(void) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2];
  gid_t group = 0;
  int got = 0;
  memset(data, 255, sizeof data);
  syscall(SYS_capget, &head, data);
  got += data[0].effective || data[0].permitted || data[1].effective || data[1].permitted;
  data[0].effective = data[0].permitted = 1u << CAP_SYS_CHROOT;
  got += syscall(SYS_capset, &head, data) == 0;
  got += syscall(SYS_setresuid, 1, 1, 1) == 0;
  got += syscall(SYS_setresgid, 1, 1, 1) == 0;
  got += syscall(SYS_setgroups, 1, &group) == 0;
  tell(got);
}

void labrys_harness_change_the_system(void) {
  int got = 0;
  unsigned i;
  static const int flags[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET};
  got += syscall(SYS_mknod, "null", S_IFCHR | 0600, 0x103) == 0;
  got += syscall(SYS_mknodat, AT_FDCWD, "disk", S_IFBLK | 0600, 0x800) == 0;
  got += syscall(SYS_mount, "x", ".", "tmpfs", 0, "") == 0;
  got += syscall(SYS_umount2, "/", 0) == 0;
  got += syscall(SYS_pivot_root, ".", ".") == 0;
  for (i = 0; i < 4; i++) {
    long child;
    got += syscall(SYS_unshare, flags[i]) == 0;
    child = syscall(SYS_clone, flags[i] | SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
      _exit(0);
    got += child > 0;
  }
  got += syscall(SYS_setns, 0, 0) == 0;
  got += syscall(SYS_sethostname, "x", 1) == 0;
  got += syscall(SYS_keyctl, 0, -3, 1) >= 0;
  got += syscall(SYS_bpf, 0, 0, 0) >= 0;
  got += syscall(SYS_shmget, 1, 4096, 01600) >= 0;
  got += syscall(SYS_io_uring_setup, 1, 0) >= 0;
  errno = 0;
  syscall(SYS_init_module, 0, 0, 0);
  got += errno != EPERM;
  errno = 0;
  syscall(SYS_kexec_load, 0, 0, 0, 0);
  got += errno != EPERM;
  tell(got);
}

/* Leaves two processes behind: a daemon, and one that writes to the record of this test for ever. */
void labrys_harness_daemon(void) {
  if (syscall(SYS_fork) == 0) {
    syscall(SYS_setsid);
    if (syscall(SYS_fork) == 0)
      for (;;)
        labrys_reach(77);
    _exit(0);
  }
  signal(SIGTERM, SIG_IGN);
  tell(0);
}

void labrys_harness_descriptors(void) {
  int count = 0;
  while (count < 2000 && dup(0) >= 0)
    count++;
  tell(count > 64);
}

void labrys_harness_stops_itself(void) { syscall(SYS_kill, syscall(SYS_getpid), SIGSTOP); }

void labrys_harness_ignores_all_signals(void) {
  int i;
  for (i = 1; i < 65; i++)
    signal(i, SIG_IGN);
  for (;;)
    pause();
}

/* No escape: a sanitizer that looks for leaks must not change how the run ends. */
void labrys_harness_leaks_and_exits(void) {
  void *volatile leaked = malloc(100);
  leaked = NULL;
  exit(3 + (leaked != NULL));
}

/* Runs before any test, in the process that runs the tests. */
static int constructor_got;

__attribute__((constructor)) static void before_main(void) {
  constructor_got += open("/tmp/labrys-escaped", O_WRONLY | O_CREAT, 0600) >= 0;
  constructor_got += unlink("job") == 0 || unlink("result") == 0;
  constructor_got += socket(AF_INET, SOCK_STREAM, 0) >= 0;
  constructor_got += syscall(SYS_mount, "x", "/tmp", "tmpfs", 0, "") == 0;
}

void labrys_harness_constructor(void) { tell(constructor_got); }
