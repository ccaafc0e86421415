/* namespaces.c: the launcher enters namespaces of its own: other users, mounts, processes, network,
 * messages and names than those of the machine. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox.h"

static const struct {
  int flag;
  enum Protection protection;
} KINDS[] = {
    {CLONE_NEWUSER, USER_NAMESPACE}, {CLONE_NEWNS, MOUNT_NAMESPACE},
    {CLONE_NEWPID, PROCESS_NAMESPACE}, {CLONE_NEWNET, NETWORK_NAMESPACE},
    {CLONE_NEWIPC, IPC_NAMESPACE},   {CLONE_NEWUTS, UTS_NAMESPACE},
};

static int write_text(pid_t process, const char *name, const char *text) {
  char path[64];
  int file, done;
  snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
  file = open(path, O_WRONLY);
  if (file < 0)
    return 0;
  done = write(file, text, strlen(text)) == (ssize_t)strlen(text);
  close(file);
  return done;
}

/* Users of the new namespace. For root, 0 is nobody and 1 is root: the models take a test for root
 * (0), and it has no rights. An ordinary user is 0, which is all that the system lets it map. */
static int map_users(pid_t process, unsigned user, unsigned group) {
  char map[64];
  if (user == 0) {
    snprintf(map, sizeof map, "0 %d 1\n1 0 1\n", NOBODY);
    if (write_text(process, "uid_map", map) && write_text(process, "gid_map", map))
      return 0;
    return EPERM;
  }
  snprintf(map, sizeof map, "0 %u 1\n", user);
  if (!write_text(process, "uid_map", map))
    return errno;
  write_text(process, "setgroups", "deny");
  snprintf(map, sizeof map, "0 %u 1\n", group);
  return write_text(process, "gid_map", map) ? 0 : errno;
}

/* Only a process outside of the new namespace may map other users than its own. Started before
 * the namespace is entered, it waits until that is done. */
static pid_t start_mapper(const int *entered) {
  pid_t launcher = getpid(), mapper = fork();
  char sign;
  if (mapper != 0)
    return mapper;
  close(entered[1]);
  if (read(entered[0], &sign, 1) != 1)
    _exit(0);
  _exit(map_users(launcher, getuid(), getgid()));
}

/* Each for itself, where the system does not allow all at once. */
static void enter_one_by_one(uint32_t *report, unsigned but) {
  unsigned i;
  for (i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
    if (!(KINDS[i].flag & but) && unshare(KINDS[i].flag) != 0)
      report[KINDS[i].protection] = (uint32_t)errno;
}

/* Whether users can be mapped for a namespace that root makes. In a container nobody may be
 * missing; a namespace without a map would be of no use. */
static int root_can_map(void) {
  unsigned first, outside, count;
  int found = 0;
  FILE *map = fopen("/proc/self/uid_map", "r");
  if (!map)
    return 0;
  while (fscanf(map, "%u %u %u", &first, &outside, &count) == 3)
    found |= first <= NOBODY && (count > NOBODY - first);
  fclose(map);
  return found;
}

int enter_namespaces(uint32_t *report) {
  int is_root = geteuid() == 0, entered[2], status = 0, all = 0;
  unsigned i;
  pid_t mapper;
  if (is_root && setgroups(0, NULL) != 0)
    errno = 0;
  if (is_root && !root_can_map()) {
    report[USER_NAMESPACE] = ENOENT;
    enter_one_by_one(report, CLONE_NEWUSER);
    return NOBODY;
  }
  if (pipe2(entered, O_CLOEXEC) != 0) {
    for (i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
      report[KINDS[i].protection] = (uint32_t)errno;
    return is_root ? NOBODY : NO_USER;
  }
  mapper = start_mapper(entered);
  close(entered[0]);
  for (i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
    all |= KINDS[i].flag;
  if (unshare(all) != 0)
    enter_one_by_one(report, 0);
  if (!report[USER_NAMESPACE] && write(entered[1], "", 1) != 1)
    report[USER_NAMESPACE] = EIO;
  close(entered[1]);
  waitpid(mapper, &status, 0);
  if (!report[USER_NAMESPACE] && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
    report[USER_NAMESPACE] = WIFEXITED(status) ? (uint32_t)WEXITSTATUS(status) : EIO;
  if (!is_root)
    return NO_USER;
  return report[USER_NAMESPACE] ? NOBODY : 0;
}
