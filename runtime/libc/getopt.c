/* getopt.c: getopt and its long forms, with glibc's order of arguments, messages and globals.
 * Which kind of option a character is, is an expression over the list of options: the program
 * splits the path itself when it looks at the character. */
#include "engine.h"

int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t size);
char *getenv(const char *name);
int fprintf(FILE *restrict stream, const char *restrict format, ...);

WEAK char *optarg;
WEAK int optind = 1;
WEAK int opterr = 1;
WEAK int optopt = '?';

struct option {
  const char *name;
  int has_arg; /* 0 none, 1 required, 2 optional */
  int *flag;
  int val;
};

static int is_ready;
static char *labrys_option_letter; /* in the argument at hand, null between arguments */
static int first_operand, last_operand;   /* operands that have been skipped so far */
static enum { PERMUTE, IN_ORDER, STOP_AT_OPERAND } ordering;

struct Call {
  int count;
  char **arguments;
  const char *letters;
  const struct option *names;
  int *index;
  int only_long;
  int is_posix; /* the first operand is the end, as if POSIXLY_CORRECT were set */
  int is_loud;
};

/* Moves the skipped operands behind the options that followed them. */
static void exchange(char **arguments) {
  int options = optind - last_operand, operands = last_operand - first_operand, i;
  char **copy = labrys_malloc((size_t)operands * sizeof *copy);
  for (i = 0; i < operands; i++)
    copy[i] = arguments[first_operand + i];
  for (i = 0; i < options; i++)
    arguments[first_operand + i] = arguments[last_operand + i];
  for (i = 0; i < operands; i++)
    arguments[first_operand + options + i] = copy[i];
  labrys_free(copy);
  first_operand += options;
  last_operand = optind;
}

static void start(struct Call *call) {
  if (optind == 0)
    optind = 1;
  first_operand = last_operand = optind;
  labrys_option_letter = NULL;
  if (*call->letters == '-')
    ordering = IN_ORDER;
  else if (*call->letters == '+' || call->is_posix || getenv("POSIXLY_CORRECT") != NULL)
    ordering = STOP_AT_OPERAND;
  else
    ordering = PERMUTE;
  is_ready = 1;
}

static int is_operand(const char *argument) {
  return argument[0] != '-' || argument[1] == 0;
}

static int has_letter(const char *letters, char c) {
  int found = 0;
  for (; *letters != 0; letters++)
    found |= *letters == c;
  return found;
}

/* ---- Long options ---- */

static int starts_with(const char *name, const char *text, size_t size) {
  return strncmp(name, text, size) == 0;
}

static int is_other(const struct option *a, const struct option *b) {
  return a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

static void tell_ambiguous(const struct Call *call, const struct option *found, size_t size,
                           const char *dashes) {
  const struct option *option;
  fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", call->arguments[0], dashes,
          labrys_option_letter);
  for (option = call->names; option->name != NULL; option++)
    if (starts_with(option->name, labrys_option_letter, size) &&
        (option == found || call->only_long || is_other(found, option)))
      fprintf(stderr, " '%s%s'", dashes, option->name);
  fprintf(stderr, "\n");
}

/* The option that is meant: an exact name, else the only one that starts so. */
static const struct option *find(const struct Call *call, size_t size, int *is_ambiguous) {
  const struct option *option, *found = NULL;
  *is_ambiguous = 0;
  for (option = call->names; option->name != NULL; option++)
    if (size == strlen(option->name) && starts_with(option->name, labrys_option_letter, size))
      return option;
  for (option = call->names; option->name != NULL; option++) {
    if (!starts_with(option->name, labrys_option_letter, size))
      continue;
    if (found == NULL)
      found = option;
    else if (call->only_long || is_other(found, option))
      *is_ambiguous = 1;
  }
  return found;
}

static int missing(const struct Call *call) { return *call->letters == ':' ? ':' : '?'; }

/* The long option at labrys_option_letter. -1 if it may be a short one instead. */
static int long_option(struct Call *call, const char *dashes, int only_long) {
  const char *program = call->arguments[0];
  const struct option *found;
  int is_ambiguous;
  char *end = labrys_option_letter;
  while ((*end != 0) & (*end != '='))
    end++;
  found = find(call, (size_t)(end - labrys_option_letter), &is_ambiguous);
  if (is_ambiguous) {
    if (call->is_loud)
      tell_ambiguous(call, found, (size_t)(end - labrys_option_letter), dashes);
    labrys_option_letter += strlen(labrys_option_letter);
    optind++;
    optopt = 0;
    return '?';
  }
  if (found == NULL) {
    if (only_long && call->arguments[optind][1] != '-' &&
        has_letter(call->letters, *labrys_option_letter))
      return -1;
    if (call->is_loud)
      fprintf(stderr, "%s: unrecognized option '%s%s'\n", program, dashes, labrys_option_letter);
    labrys_option_letter = NULL;
    optind++;
    optopt = 0;
    return '?';
  }
  optind++;
  labrys_option_letter = NULL;
  if (*end != 0 && found->has_arg == 0) {
    if (call->is_loud)
      fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", program, dashes,
              found->name);
    optopt = found->val;
    return '?';
  }
  if (*end != 0) {
    optarg = end + 1;
  } else if (found->has_arg == 1) {
    if (optind >= call->count) {
      if (call->is_loud)
        fprintf(stderr, "%s: option '%s%s' requires an argument\n", program, dashes,
                found->name);
      optopt = found->val;
      return missing(call);
    }
    optarg = call->arguments[optind++];
  }
  if (call->index != NULL)
    *call->index = (int)(found - call->names);
  if (found->flag == NULL)
    return found->val;
  *found->flag = found->val;
  return 0;
}

/* ---- Short options ---- */

enum Kind { UNKNOWN, PLAIN, REQUIRED, OPTIONAL, LONG_NAME };

/* The kind of the option c, from the last letter to the first: the first one counts. */
static int kind_of(const struct Call *call, char c) {
  size_t i;
  int kind = UNKNOWN;
  for (i = strlen(call->letters); i > 0; i--) {
    const char *at = call->letters + i - 1;
    int here = at[1] != ':' ? PLAIN : at[2] != ':' ? REQUIRED : OPTIONAL;
    if (*at == ':' || *at == ';')
      continue;
    if (*at == 'W' && at[1] == ';' && call->names != NULL)
      here = LONG_NAME;
    kind = (int)labrys_select(c == *at, (unsigned long long)here, (unsigned long long)kind);
  }
  return kind;
}

static int no_argument(struct Call *call, int c) {
  if (call->is_loud)
    fprintf(stderr, "%s: option requires an argument -- '%c'\n", call->arguments[0], c);
  optopt = c;
  return missing(call);
}

static int short_option(struct Call *call) {
  int c = *labrys_option_letter++, kind = kind_of(call, (char)c);
  if (*labrys_option_letter == 0)
    optind++;
  if (kind == UNKNOWN) {
    if (call->is_loud)
      fprintf(stderr, "%s: invalid option -- '%c'\n", call->arguments[0], c);
    optopt = c;
    return '?';
  }
  if (kind == PLAIN)
    return c;
  if (kind == LONG_NAME) {
    if (*labrys_option_letter == 0 && optind == call->count)
      return no_argument(call, c);
    if (*labrys_option_letter == 0)
      labrys_option_letter = call->arguments[optind];
    return long_option(call, "-W ", 0);
  }
  if (*labrys_option_letter != 0) {
    optarg = labrys_option_letter;
    optind++;
  } else if (kind == REQUIRED) {
    if (optind == call->count)
      c = no_argument(call, c);
    else
      optarg = call->arguments[optind++];
  }
  labrys_option_letter = NULL;
  return c;
}

/* ---- The next argument ---- */

/* Goes on to the next argument that is an option. False if there is none, or an operand is to
 * be returned: *result is what to return then. */
static int next_argument(struct Call *call, int *result) {
  char **arguments = call->arguments;
  if (last_operand > optind)
    last_operand = optind;
  if (first_operand > optind)
    first_operand = optind;
  if (ordering == PERMUTE) {
    if (first_operand != last_operand && last_operand != optind)
      exchange(arguments);
    else if (last_operand != optind)
      first_operand = optind;
    while (optind < call->count && is_operand(arguments[optind]))
      optind++;
    last_operand = optind;
  }
  if (optind != call->count && strcmp(arguments[optind], "--") == 0) {
    optind++;
    if (first_operand != last_operand && last_operand != optind)
      exchange(arguments);
    else if (first_operand == last_operand)
      first_operand = optind;
    last_operand = optind = call->count;
  }
  *result = -1;
  if (optind == call->count) {
    if (first_operand != last_operand)
      optind = first_operand;
    return 0;
  }
  if (is_operand(arguments[optind])) {
    if (ordering == STOP_AT_OPERAND)
      return 0;
    optarg = arguments[optind++];
    *result = 1;
    return 0;
  }
  return 1;
}

static int get_option(struct Call *call) {
  int result;
  if (call->count < 1)
    return -1;
  optarg = NULL;
  if (optind == 0 || !is_ready)
    start(call);
  if (*call->letters == '-' || *call->letters == '+')
    call->letters++;
  call->is_loud = opterr != 0 && *call->letters != ':';
  if (labrys_option_letter == NULL || *labrys_option_letter == 0) {
    const char *argument;
    if (!next_argument(call, &result))
      return result;
    argument = call->arguments[optind];
    if (call->names != NULL) {
      if (argument[1] == '-') {
        labrys_option_letter = call->arguments[optind] + 2;
        return long_option(call, "--", call->only_long);
      }
      if (call->only_long && (argument[2] != 0 || !has_letter(call->letters, argument[1]))) {
        labrys_option_letter = call->arguments[optind] + 1;
        result = long_option(call, "-", 1);
        if (result != -1)
          return result;
      }
    }
    labrys_option_letter = call->arguments[optind] + 1;
  }
  return short_option(call);
}

static int get(int count, char *const *arguments, const char *letters,
               const struct option *names, int *index, int only_long, int is_posix) {
  struct Call call;
  call.count = count;
  call.arguments = (char **)arguments;
  call.letters = letters;
  call.names = names;
  call.index = index;
  call.only_long = only_long;
  call.is_posix = is_posix;
  return get_option(&call);
}

WEAK int getopt(int count, char *const *arguments, const char *letters) {
  return get(count, arguments, letters, NULL, NULL, 0, 0);
}

WEAK int __posix_getopt(int count, char *const *arguments, const char *letters) {
  return get(count, arguments, letters, NULL, NULL, 0, 1);
}

WEAK int getopt_long(int count, char *const *arguments, const char *letters,
                     const struct option *names, int *index) {
  return get(count, arguments, letters, names, index, 0, 0);
}

WEAK int getopt_long_only(int count, char *const *arguments, const char *letters,
                          const struct option *names, int *index) {
  return get(count, arguments, letters, names, index, 1, 0);
}

/* ---- Suboptions: "name=value,name" ---- */

WEAK int getsubopt(char **at, char *const *tokens, char **value) {
  char *start = *at, *end = start, *equals;
  int i;
  if (*start == 0)
    return -1;
  while ((*end != 0) & (*end != ','))
    end++;
  equals = start;
  while (equals < end && *equals != '=')
    equals++;
  for (i = 0; tokens[i] != NULL; i++) {
    size_t size = (size_t)(equals - start);
    if (strlen(tokens[i]) != size || strncmp(start, tokens[i], size) != 0)
      continue;
    *value = equals != end ? equals + 1 : NULL;
    if (*end != 0)
      *end++ = 0;
    *at = end;
    return i;
  }
  *value = start;
  if (*end != 0)
    *end++ = 0;
  *at = end;
  return -1;
}
