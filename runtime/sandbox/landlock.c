/* landlock.c: where the system allows no mounts of our own, Landlock (Linux 5.13) restricts which
 * files can be opened, and from version 6 on which processes can get signals. It needs no
 * privileges. Files outside can still be seen to be there. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox.h"

/* The rights of version 1, and those that came with versions 2, 3 and 5; headers may be older. */
enum {
  EXECUTE_AND_READ = 1 << 0 | 1 << 2 | 1 << 3,
  RIGHTS_1 = (1 << 13) - 1,
  RIGHT_REFER = 1 << 13,
  RIGHT_TRUNCATE = 1 << 14,
  RIGHT_DEVICE = 1 << 15,
  SCOPE_SOCKETS_AND_SIGNALS = 3
};

/* The attributes of version 6. An older system takes as many bytes as it knows. */
struct Ruleset {
  uint64_t files, network, scopes;
};

int landlock_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : (int)version;
}

static int allow(int ruleset, const char *directory, uint64_t rights) {
  struct landlock_path_beneath_attr rule = {0};
  int done;
  rule.allowed_access = rights;
  rule.parent_fd = open(directory, O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0)
    return 0;
  done = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  close(rule.parent_fd);
  return done;
}

uint32_t restrict_files(const char *directory, int may_read) {
  struct Ruleset rules = {RIGHTS_1, 0, 0};
  int version = landlock_version(), ruleset, done;
  size_t size = version >= 6 ? sizeof rules : sizeof rules.files;
  if (version >= 2)
    rules.files |= RIGHT_REFER;
  if (version >= 3)
    rules.files |= RIGHT_TRUNCATE;
  if (version >= 5)
    rules.files |= RIGHT_DEVICE;
  if (version >= 6)
    rules.scopes = SCOPE_SOCKETS_AND_SIGNALS;
  ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0)
    return (uint32_t)errno;
  done = allow(ruleset, directory, rules.files) &&
         (!may_read || allow(ruleset, "/", EXECUTE_AND_READ)) &&
         syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return done ? 0 : (uint32_t)errno;
}
