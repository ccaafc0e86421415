/* locale.c: the C locale, and C.UTF-8 where a program asks for it by name: what a replay without
 * an environment has. Messages are not translated. */
#include "engine.h"

int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t size);
int strcasecmp(const char *left, const char *right);
char *strchr(const char *text, int wanted);
char *getenv(const char *name);
int snprintf(char *restrict to, size_t room, const char *restrict format, ...);

/* LC_CTYPE … LC_IDENTIFICATION; 6 is LC_ALL. */
enum { CATEGORIES = 13, CTYPE = 0, ALL = 6 };
static const char *const category_names[CATEGORIES] = {
    "LC_CTYPE", "LC_NUMERIC", "LC_TIME",    "LC_COLLATE",   "LC_MONETARY",
    "LC_MESSAGES", "LC_ALL",  "LC_PAPER",   "LC_NAME",      "LC_ADDRESS",
    "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION"};

struct Locale {
  char name[CATEGORIES][16];
};

static struct Locale global = {{"C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C"}};
static struct Locale *labrys_locale_of_thread; /* by uselocale */

/* The name that setlocale gives back for one that exists, null for another. */
static const char *known(const char *name) {
  static const char *const utf8[] = {"C.UTF-8", "C.utf8", "C.UTF8", "C.utf-8"};
  size_t i;
  if (strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0)
    return "C";
  for (i = 0; i < sizeof utf8 / sizeof *utf8; i++)
    if (strcmp(name, utf8[i]) == 0)
      return utf8[i];
  return (const char *)labrys_assumed(0, "environment: locales");
}

/* What "" means: LC_ALL, the category's variable, LANG, C. */
static const char *from_environment(int category) {
  const char *value = getenv("LC_ALL");
  if (value == NULL || *value == 0)
    value = getenv(category_names[category]);
  if (value == NULL || *value == 0)
    value = getenv("LANG");
  return value == NULL || *value == 0 ? "C" : value;
}

static const char *resolve(int category, const char *name) {
  return known(*name == 0 ? from_environment(category) : name);
}

/* The name of all categories: one if they agree, else a list. */
static const char *name_of_all(const struct Locale *locale) {
  static char text[400];
  size_t used = 0;
  int i, different = 0;
  for (i = 1; i < CATEGORIES; i++)
    different |= i != ALL && strcmp(locale->name[i], locale->name[0]) != 0;
  if (!different)
    return locale->name[0];
  for (i = 0; i < CATEGORIES; i++)
    if (i != ALL)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%s", used > 0 ? ";" : "",
                               category_names[i], locale->name[i]);
  return text;
}

static void set_name(struct Locale *locale, int category, const char *name) {
  snprintf(locale->name[category], sizeof locale->name[category], "%s", name);
}

/* "LC_CTYPE=C.UTF-8;LC_NUMERIC=C;…", as setlocale gave it before: all categories. */
static int set_list(struct Locale *locale, const char *list) {
  struct Locale fresh = *locale;
  unsigned seen = 1u << ALL;
  while (*list != 0) {
    const char *value = strchr(list, '='), *end;
    char name[16];
    size_t size;
    int i, found = -1;
    if (value == NULL)
      return 0;
    for (i = 0; i < CATEGORIES; i++)
      if (i != ALL && strlen(category_names[i]) == (size_t)(value - list) &&
          strncmp(category_names[i], list, (size_t)(value - list)) == 0)
        found = i;
    end = strchr(++value, ';');
    size = end != NULL ? (size_t)(end - value) : strlen(value);
    if (found < 0 || size >= sizeof name)
      return 0;
    __builtin_memcpy(name, value, size);
    name[size] = 0;
    if (known(name) == NULL)
      return 0;
    set_name(&fresh, found, known(name));
    seen |= 1u << found;
    list = end != NULL ? end + 1 : value + size;
  }
  if (seen != (1u << CATEGORIES) - 1)
    return 0;
  *locale = fresh;
  return 1;
}

WEAK char *setlocale(int category, const char *name) {
  struct Locale fresh = global;
  int i;
  if ((unsigned)category >= CATEGORIES) {
    *__errno_location() = EINVAL;
    return NULL;
  }
  if (name == NULL)
    return (char *)(category == ALL ? name_of_all(&global) : global.name[category]);
  if (category != ALL) {
    name = resolve(category, name);
    if (name == NULL)
      return NULL;
    set_name(&global, category, name);
    return global.name[category];
  }
  if (strchr(name, ';') != NULL) {
    if (!set_list(&fresh, name))
      return NULL;
  } else {
    for (i = 0; i < CATEGORIES; i++) {
      const char *found = resolve(i, name);
      if (found == NULL)
        return NULL;
      set_name(&fresh, i, found);
    }
  }
  global = fresh;
  return (char *)name_of_all(&global);
}

static int is_utf8_name(const char *name) { return name[1] == '.'; }

static const struct Locale *current(void) {
  return labrys_locale_of_thread != NULL ? labrys_locale_of_thread : &global;
}

int labrys_is_utf8(void) { return is_utf8_name(current()->name[CTYPE]); }

WEAK size_t __ctype_get_mb_cur_max(void) { return labrys_is_utf8() ? 6 : 1; }

/* ---- Locale objects ---- */

WEAK void *newlocale(int mask, const char *name, void *base) {
  static const struct Locale plain = {
      {"C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C"}};
  struct Locale *locale = base;
  int i;
  for (i = 0; i < CATEGORIES; i++)
    if ((mask >> i & 1) && i != ALL && resolve(i, name) == NULL) {
      *__errno_location() = 2; /* ENOENT */
      return NULL;
    }
  if (locale == NULL) {
    locale = labrys_malloc(sizeof *locale);
    *locale = plain;
  }
  for (i = 0; i < CATEGORIES; i++)
    if ((mask >> i & 1) && i != ALL)
      set_name(locale, i, resolve(i, name));
  return locale;
}

WEAK void *duplocale(void *from) {
  struct Locale *locale = labrys_malloc(sizeof *locale);
  *locale = from == (void *)-1 ? global : *(struct Locale *)from;
  return locale;
}

WEAK void freelocale(void *locale) { labrys_free(locale); }

WEAK void *uselocale(void *locale) {
  void *before = labrys_locale_of_thread != NULL ? (void *)labrys_locale_of_thread : (void *)-1;
  if (locale != NULL)
    labrys_locale_of_thread = locale == (void *)-1 ? NULL : locale;
  return before;
}

/* ---- What a locale says ---- */

struct lconv {
  char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol,
      *mon_decimal_point, *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
  char numbers[14];
};

WEAK struct lconv *localeconv(void) {
  static struct lconv plain = {".", "", "", "", "", "", "", "", "", "", {0}};
  __builtin_memset(plain.numbers, CHAR_MAX, sizeof plain.numbers);
  return &plain;
}

/* nl_langinfo's items: the category in the upper half, the number in the lower. */
WEAK char *nl_langinfo(int item) {
  static char *const times[] = {
      "Sun",      "Mon",       "Tue",     "Wed",   "Thu",  "Fri",      "Sat",
      "Sunday",   "Monday",    "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
      "Jan",      "Feb",       "Mar",     "Apr",   "May",  "Jun",
      "Jul",      "Aug",       "Sep",     "Oct",   "Nov",  "Dec",
      "January",  "February",  "March",   "April", "May",  "June",
      "July",     "August",    "September", "October", "November", "December",
      "AM",       "PM",        "%a %b %e %H:%M:%S %Y", "%m/%d/%y", "%H:%M:%S", "%I:%M:%S %p"};
  unsigned number = (unsigned)item & 0xffff;
  if (item == 14) /* CODESET */
    return labrys_is_utf8() ? "UTF-8" : "ANSI_X3.4-1968";
  if (item == 0x10000) /* RADIXCHAR */
    return ".";
  if (item >> 16 == 2 && number < sizeof times / sizeof *times)
    return times[number];
  if (item == 0x50000)
    return "^[yY]";
  if (item == 0x50001)
    return "^[nN]";
  if (item == 0x4000f) /* CRNCYSTR */
    return "-";
  return "";
}

WEAK char *nl_langinfo_l(int item, void *locale) {
  (void)locale;
  return nl_langinfo(item);
}

/* ---- Messages ---- */

static char domain_name[64] = "messages";

WEAK char *gettext(const char *text) { return (char *)text; }

WEAK char *dgettext(const char *domain, const char *text) {
  (void)domain;
  return (char *)text;
}

WEAK char *dcgettext(const char *domain, const char *text, int category) {
  (void)domain, (void)category;
  return (char *)text;
}

WEAK char *ngettext(const char *one, const char *many, unsigned long count) {
  return (char *)(count == 1 ? one : many);
}

WEAK char *dngettext(const char *domain, const char *one, const char *many,
                     unsigned long count) {
  (void)domain;
  return ngettext(one, many, count);
}

WEAK char *dcngettext(const char *domain, const char *one, const char *many,
                      unsigned long count, int category) {
  (void)domain, (void)category;
  return ngettext(one, many, count);
}

WEAK char *textdomain(const char *name) {
  if (name != NULL)
    snprintf(domain_name, sizeof domain_name, "%s", *name != 0 ? name : "messages");
  return domain_name;
}

WEAK char *bindtextdomain(const char *domain, const char *directory) {
  if (domain == NULL || *domain == 0)
    return NULL;
  return (char *)(directory != NULL ? directory : "/usr/share/locale");
}

WEAK char *bind_textdomain_codeset(const char *domain, const char *codeset) {
  (void)domain;
  return (char *)codeset;
}

/* ---- Conversion of encodings: there is none ---- */

WEAK void *iconv_open(const char *to, const char *from) {
  (void)to, (void)from;
  *__errno_location() = EINVAL;
  return (void *)labrys_assumed(-1, "environment: iconv");
}

WEAK size_t iconv(void *descriptor, char **from, size_t *from_size, char **to, size_t *to_size) {
  (void)descriptor, (void)from, (void)from_size, (void)to, (void)to_size;
  *__errno_location() = 9; /* EBADF */
  return (size_t)-1;
}

WEAK int iconv_close(void *descriptor) {
  (void)descriptor;
  *__errno_location() = 9;
  return -1;
}
