/* protocol.h: what the C runtime and the Rust code must agree on.
 *
 * Written from crates/labrys-ledger/src/protocol.rs; a test there compares the two, and writes this
 * file anew if LABRYS_BLESS is set. */
#ifndef LABRYS_PROTOCOL_H
#define LABRYS_PROTOCOL_H

/* How a run ended. The first ones are set by the test itself, those from EXITED on by its parent. */
enum Ending {
  RUNNING = 0,
  RETURNED = 1,
  ASSUME_VIOLATED = 2,
  OUT_OF_INPUTS = 3,
  INPUT_MISMATCH = 4,
  ERROR_REPORTED = 5,
  NO_HARNESS = 6,
  EXITED = 7,
  SIGNALLED = 8,
  TIMED_OUT = 9,
  OUTPUT_LIMIT = 10,
};

/* The kinds of words among the triggers of a run. Labels and mutation points are no part of its trace. */
enum EventKind {
  EVENT_CONDITION = 1,
  EVENT_DECISION = 2,
  EVENT_CASE = 3,
  EVENT_REACH = 4,
  COVERED_LABEL = 5,
  MUTATION_POINT = 63,
};

/* Flags of a result: what did not fit, whether zeros were added. */
enum ResultFlag {
  TRIGGERS_LOST = 1,
  OUTPUTS_LOST = 2,
  INPUTS_PADDED = 8,
  VECTORS_LOST = 16,
};

/* How the inputs of a test are known: by name, as numbers in the order of the questions, as bytes in that order. */
enum InputMode {
  NAMED = 0,
  NUMBERS = 1,
  STREAM = 2,
};

/* What confines a native run. The sandbox reports an error number for each in this order, 0 where it holds; a result has a bit for each that a test could not have. The first ones are all needed for full confinement; the others are ways to it. */
enum Protection {
  MOUNT_NAMESPACE = 0,
  PROCESS_NAMESPACE = 1,
  NETWORK_NAMESPACE = 2,
  IPC_NAMESPACE = 3,
  UTS_NAMESPACE = 4,
  READ_ONLY_HOST = 5,
  BOUNDED_FILES = 6,
  OWN_PROC = 7,
  ROOT_DIRECTORY = 8,
  OTHER_USER = 9,
  NO_CAPABILITIES = 10,
  NO_NEW_PRIVILEGES = 11,
  SYSTEM_CALL_FILTER = 12,
  PROCESS_LIMIT = 13,
  NEEDED_PROTECTIONS = 14,
  USER_NAMESPACE = 14,
  LANDLOCK = 15,
  PROTECTIONS = 16,
};

/* The start of a job file, the names of harnesses, the options that limits name. */
#define LABRYS_JOB_MAGIC "LABRJOB8"
#define LABRYS_HARNESS_PREFIX "labrys_harness_"
#define LIMIT_ARRAY_LEN "--array-len"
#define LIMIT_MODEL "--model"
#define LIMIT_SYM_ENV "--sym-env"
#define LIMIT_SYM_FILE "--sym-file"
#define LIMIT_SYM_STDIN "--sym-stdin"
#define LIMIT_SYM_TIME "--sym-time"

/* The trace of a run is FNV-1a over its event words. */
#define LABRYS_TRACE_START 0xcbf29ce484222325ull
#define LABRYS_TRACE_FACTOR 0x100000001b3ull

#endif
