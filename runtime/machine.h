/* machine.h: the facts about the machine that every run sees, in the engine's library models and
 * in the native replay. */
#ifndef LABRYS_MACHINE_H
#define LABRYS_MACHINE_H

enum {
  FIXED_SECONDS = 1700000000, /* 14 November 2023, 22:13:20 UTC */
  FIXED_UPTIME = 1000,
  FIXED_PROCESS = 4242,
  FIXED_PARENT = 1,
  FIXED_USER = 0,
  FIXED_PROCESSORS = 1,
  FIXED_PAGE = 4096,
  FIXED_PAGES = 1 << 18,
  FIXED_OPEN_FILES = 1024
};

#define FIXED_HOST "labrys"

#endif
