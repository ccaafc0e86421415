/* format.c: the printf family and the standard streams. */
#include "check.h"

MODEL(free); MODEL(printf); MODEL(fprintf); MODEL(puts); MODEL(putchar); MODEL(fputs);
MODEL(fwrite); MODEL(snprintf); MODEL(sprintf); MODEL(vsnprintf); MODEL(asprintf); MODEL(perror);
MODEL(getchar); MODEL(fgets); MODEL(feof);
extern int model___snprintf_chk(char *, size_t, int, size_t, const char *, ...);
extern int model___sprintf_chk(char *, int, size_t, const char *, ...);

/* Random formats with arguments of the right type. */
void check_formats(void) {
  static const char *const sizes[] = {"", "hh", "h", "l", "ll", "j", "z", "t"};
  static const char *const flags[] = {"", "-", "+", " ", "#", "0", "+0", "-#", "#0", "-0", "+ "};
  char form[64], left[128], right[128], inner[40];
  const char *size = sizes[below(8)], *flag = flags[below(11)];
  size_t room = below(4) ? sizeof left : below(12);
  int x, y, used, width = (int)below(20) - 10, precision = (int)below(10) - 3;
  const char *string = below(5) ? text(0, below(9), few) : NULL;
  const wchar_t *wide_text;
  long double large;
  uint64_t value = below(3) ? any() : any() % 100;
  used = sprintf(inner, "%s", flag);
  if (below(2))
    used += sprintf(inner + used, "%d", (int)below(15));
  if (below(2))
    used += sprintf(inner + used, ".%d", (int)below(12));
  memset(left, '?', sizeof left);
  memset(right, '?', sizeof right);
#define FORMAT(...)                                                                            \
  do {                                                                                         \
    x = model_snprintf(left, room, form, __VA_ARGS__);                                         \
    y = snprintf(right, room, form, __VA_ARGS__);                                              \
    CHECK(x == y && memcmp(left, right, sizeof left) == 0, "snprintf(%zu, \"%s\"): %d '%s' %d '%s'",   \
          room, form, x, left, y, right);                                                      \
  } while (0)
  errno = *model___errno_location() = (int)below(140);
  switch (below(13)) {
  case 6:
    sprintf(form, "%%%sL%c|", inner, "feEgGaA"[below(7)]);
    large = (long double)(int64_t)value / 1000.0L * (below(2) ? 1 : 1e4000L);
    FORMAT(large);
    break;
  case 7:
    sprintf(form, "%%3$s %%1$%sd %%2$*4$.*5$f %%1$x%%6$n", flag);
    FORMAT((int)value, (double)(int64_t)value / 7.0, string, width, precision, &used);
    break;
  case 8:
    sprintf(form, "%%'%sld %%%sm %%%sy %%hhn", inner, inner, inner);
    FORMAT((long)value, (signed char *)&used);
    break;
  case 9: {
    static const wchar_t *const wide[] = {L"", L"wide", L"a longer text", L"\xe9", NULL};
    sprintf(form, "%%%sls|%%%slc", inner, inner);
    wide_text = wide[below(5)];
    used = below(9) ? 'a' : 300;
    FORMAT(wide_text, (wint_t)used);
    break;
  }
  case 10:
    sprintf(form, below(2) ? "text %%" : "%%99999999999d %%2147483647d", 1);
    FORMAT(1, 2);
    break;
  case 11:
    sprintf(form, "%%%sZu %%%sqd %%%shhd %%%sjx", inner, inner, inner, inner);
    FORMAT((size_t)value, (long long)value, (int)value, (uintmax_t)value);
    break;
  case 12:
    sprintf(form, "%%%sC %%%sS %%i%%%%", inner, inner);
    FORMAT((wint_t)'w', L"wide text", (int)value);
    break;
  case 0:
  case 1:
    sprintf(form, "<%%%s%s%c>", inner, size, "diuxXo"[below(6)]);
    if (strlen(size) && *size != 'h')
      FORMAT((long)value);
    else
      FORMAT((int)value);
    break;
  case 2:
    sprintf(form, "<%%%ss|%%%sc>", inner, flag);
    FORMAT(string, (int)'q');
    break;
  case 3:
    sprintf(form, "%%%s%c%%%%", inner, "feEgGaA"[below(7)]);
    FORMAT((double)(int64_t)value / 1000.0);
    break;
  case 4:
    sprintf(form, "%%%sp", flag);
    FORMAT((void *)(string ? value : 0));
    break;
  default:
    sprintf(form, "%%%s*.*d %%s%%n", flag);
    FORMAT(width, precision, (int)value, "end", &used);
  }
#undef FORMAT
}

void check_streams(void) {
  char *made = NULL;
  captured_size[1] = captured_size[2] = 0;
  CHECK(model_printf("%d %s|", -7, "text") == 8, "printf's value");
  CHECK(model_puts("line") == 5 && model_putchar('c' + 256) == 'c', "puts, putchar");
  model_fputs("out", model_stdout);
  CHECK(model_fwrite("abcdef", 2, 3, model_stdout) == 3, "fwrite");
  model_fprintf(model_stderr, "%0200d", 5);
  *model___errno_location() = ENOENT;
  model_perror("file");
  CHECK(captured_size[1] == 23 && memcmp(captured[1], "-7 text|line\ncoutabcdef", 23) == 0,
        "stdout: %.*s", (int)captured_size[1], captured[1]);
  CHECK(captured_size[2] == 232 && memcmp(captured[2] + 199, "5file: No such file or directory\n",
                                          33) == 0, "stderr %zu", captured_size[2]);
  CHECK(model_asprintf(&made, "%300d", 3) == 300 && strlen(made) == 300, "asprintf");
  model_free(made);
  CHECK(model___snprintf_chk(captured[0], 10, 1, 10, "%d", 12) == 2, "__snprintf_chk");
  if (setjmp(ended) == 0) {
    model___sprintf_chk(captured[0], 1, 3, "%d", 123);
    CHECK(0, "__sprintf_chk goes on");
  }
  CHECK(strcmp(error_kind, "abort") == 0, "__sprintf_chk");
  CHECK(model_getchar() == EOF && model_feof(model_stdin), "getchar");
  CHECK(model_fgets(captured[0], 10, model_stdin) == NULL, "fgets");
}
