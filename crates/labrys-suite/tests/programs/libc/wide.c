/* wide.c: <wchar.h>, <wctype.h> and <locale.h>: the C locale, and UTF-8 where both sides have chosen
 * it. */
#include "check.h"
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <uchar.h>

MODEL(mbrtowc); MODEL(mbrlen); MODEL(mbsinit); MODEL(wcrtomb); MODEL(mbtowc); MODEL(mblen);
MODEL(wctomb); MODEL(mbstowcs); MODEL(wcstombs); MODEL(mbsrtowcs); MODEL(mbsnrtowcs);
MODEL(wcsrtombs); MODEL(btowc); MODEL(wctob); MODEL(mbrtoc32); MODEL(wcwidth); MODEL(wcswidth);
MODEL(wcslen); MODEL(wcscpy); MODEL(wcsncpy); MODEL(wcscat); MODEL(wcsncat); MODEL(wcscmp);
MODEL(wcsncmp); MODEL(wcscasecmp); MODEL(wcsspn); MODEL(wcscspn); MODEL(wcstok);
MODEL(wmemcmp); MODEL(wcwidth); MODEL(iswalpha); MODEL(iswspace); MODEL(iswpunct);
MODEL(iswprint); MODEL(iswupper); MODEL(iswxdigit); MODEL(iswcntrl); MODEL(towlower);
MODEL(towupper); MODEL(wctype); MODEL(iswctype); MODEL(setlocale); MODEL(localeconv);
MODEL(nl_langinfo); MODEL(newlocale); MODEL(uselocale); MODEL(freelocale); MODEL(gettext);
MODEL(ngettext); MODEL(textdomain);
extern wchar_t *model_wcschr(const wchar_t *, wchar_t), *model_wcsrchr(const wchar_t *, wchar_t);
extern wchar_t *model_wcsstr(const wchar_t *, const wchar_t *);
extern size_t model___ctype_get_mb_cur_max(void);

static int is_utf8;

static void choose(int utf8) {
  is_utf8 = utf8;
  CHECK(strcmp(model_setlocale(LC_CTYPE, utf8 ? "C.UTF-8" : "C"),
               setlocale(LC_CTYPE, utf8 ? "C.UTF-8" : "C")) == 0, "setlocale");
}

static const char *hex(const char *bytes) {
  static char digits[64];
  size_t i;
  for (i = 0; bytes[i] != 0; i++)
    sprintf(digits + 3 * i, "%02x ", (unsigned char)bytes[i]);
  return digits;
}

static void one_by_one(const char *a) {
  mbstate_t x = {0}, y = {0};
  size_t at = 0, n = strlen(a) + 1;
  while (at < n) {
    wchar_t c = 77, d = 77;
    size_t room = below(4) ? n - at : 1, i, j;
    int error_a, error_b;
    *model___errno_location() = errno = 0;
    i = model_mbrtowc(&c, a + at, room, &x);
    error_a = *model___errno_location();
    j = mbrtowc(&d, a + at, room, &y);
    error_b = errno;
    CHECK(i == j && c == d && error_a == error_b, "mbrtowc of byte %zu: %zd %zd, %x %x, errno %d %d", at, i, j, c, d, error_a, error_b);
    if (i == (size_t)-1 || i != j || i == 0)
      break;
    CHECK(!model_mbsinit(&x) == !mbsinit(&y), "mbsinit");
    at += i == (size_t)-2 ? room : i;
  }
}

void check_multibyte(void) {
  static const char *const bytes = "az\xc3\xa9\xe4\xb8\x80\xf0\x9f\xed\xa0\xf4\x90\x8f\xfe\xc0";
  static const wchar_t interesting[] = {0, 'a', 0x7f, 0x80, 0xe9, 0x7ff, 0x800, 0xd7ff, 0xd800,
                                        0xdfff, 0xe000, 0xffff, 0x10000, 0x10ffff, 0x110000, -1};
  char *a = text(0, below(8), bytes), left[64], right[64];
  wchar_t wide_left[16], wide_right[16], c = interesting[below(16)];
  size_t room = below(12), i, j;
  mbstate_t x = {0}, y = {0};
  if (below(3) == 0)
    a = copy_of(0, "\xc3\xa9z\xe4\xb8\x80\xf0\x9f\x98\x80");
  choose((int)below(2));
  one_by_one(a);
  /* Of an incomplete character nothing is left behind. */
  model_mbtowc(NULL, NULL, 0), mbtowc(NULL, NULL, 0);
  CHECK(model_mbtowc(wide_left, a, strlen(a)) == mbtowc(wide_right, a, strlen(a)), "mbtowc %s, UTF-8 %d", hex(a), is_utf8);
  CHECK(model_mblen(a, room) == mblen(a, room), "mblen %s", a);
  memset(left, 1, sizeof left);
  memset(right, 1, sizeof right);
  i = model_wcrtomb(left, c, &x);
  j = wcrtomb(right, c, &y);
  CHECK(i == j && (i == (size_t)-1 || memcmp(left, right, 64) == 0), "wcrtomb %x: %zd %zd", c, i, j);
  memset(wide_left, 1, sizeof wide_left);
  memset(wide_right, 1, sizeof wide_right);
  i = model_mbstowcs(wide_left, a, room);
  j = mbstowcs(wide_right, a, room);
  CHECK(i == j && (i == (size_t)-1 || memcmp(wide_left, wide_right, 64) == 0), "mbstowcs %zd %zd", i, j);
  CHECK(model_mbstowcs(NULL, a, 0) == mbstowcs(NULL, a, 0), "length by mbstowcs");
  {
    const char *p = a, *q = a;
    i = model_mbsrtowcs(wide_left, &p, room, &x);
    j = mbsrtowcs(wide_right, &q, room, &y);
    CHECK(i == j && (p == q || i == (size_t)-1), "mbsrtowcs %s: %zd %zd, %p %p, room %zu, UTF-8 %d", hex(a), i, j, p, q, room, is_utf8);
  }
  for (i = 0; i < 5; i++)
    wide_left[i] = interesting[below(16)];
  wide_left[i] = 0;
  {
    const wchar_t *p = wide_left, *q = wide_left;
    memset(&x, 0, sizeof x);
    memset(&y, 0, sizeof y);
    i = model_wcsrtombs(left, &p, room, &x);
    j = wcsrtombs(right, &q, room, &y);
    CHECK(i == j && p == q && (i == (size_t)-1 || memcmp(left, right, i) == 0), "wcsrtombs %zd %zd", i, j);
  }
  CHECK(model_btowc((int)c) == btowc((int)c) || (unsigned)c > 255, "btowc %x", c);
  CHECK(model_wctob((wint_t)c) == wctob((wint_t)c), "wctob %x", c);
  CHECK(model_wcwidth(c) == wcwidth(c), "wcwidth %x", c);
  c = (wchar_t)below(below(2) ? 128 : 0x3000);
#define CLASS(f) CHECK(!model_##f((wint_t)c) == !f((wint_t)c), #f " %x", c)
  CLASS(iswalpha); CLASS(iswspace); CLASS(iswpunct); CLASS(iswprint); CLASS(iswupper);
  CLASS(iswxdigit); CLASS(iswcntrl);
  CHECK(model_towlower((wint_t)c) == towlower((wint_t)c), "towlower %x", c);
  CHECK(model_towupper((wint_t)c) == towupper((wint_t)c), "towupper %x", c);
  CHECK(!model_iswctype((wint_t)c, model_wctype("alnum")) == !iswctype((wint_t)c, wctype("alnum")), "iswctype %x", c);
  CHECK(model___ctype_get_mb_cur_max() == MB_CUR_MAX, "MB_CUR_MAX");
  choose(0);
}

static void widen(wchar_t *to, const char *from) {
  while ((*to++ = (unsigned char)*from++) != 0) {
  }
}

void check_wide_strings(void) {
  wchar_t a[16], b[16], left[40], right[40], *x, *y, *rest_a, *rest_b;
  size_t n = below(12);
  widen(a, text(0, below(10), few));
  widen(b, text(1, below(3), few));
#define SAME(call) CHECK(sign((int)model_##call) == sign((int)call), #call)
  CHECK(model_wcslen(a) == wcslen(a), "wcslen");
  SAME(wcscmp(a, b));
  SAME(wcsncmp(a, b, n));
  SAME(wcscasecmp(a, b));
  SAME(wmemcmp(a, b, 2));
  CHECK(model_wcsspn(a, b) == wcsspn(a, b) && model_wcscspn(a, b) == wcscspn(a, b), "wcsspn");
  CHECK(model_wcschr(a, 'b') == wcschr(a, 'b') && model_wcsrchr(a, 'b') == wcsrchr(a, 'b'), "wcschr");
  CHECK(model_wcsstr(a, b) == wcsstr(a, b), "wcsstr");
  CHECK(model_wcswidth(a, n) == wcswidth(a, n), "wcswidth");
  memset(left, 1, sizeof left);
  memset(right, 1, sizeof right);
  model_wcsncpy(left, a, n);
  wcsncpy(right, a, n);
  model_wcscpy(left + 12, a);
  wcscpy(right + 12, a);
  model_wcsncat(left + 12, b, n);
  wcsncat(right + 12, b, n);
  CHECK(memcmp(left, right, sizeof left) == 0, "wcsncpy");
  widen(left, text(0, n, "ab, "));
  wcscpy(right, left);
  x = model_wcstok(left, L", ", &rest_a);
  y = wcstok(right, L", ", &rest_b);
  for (n = 0; n < 10; n++) {
    CHECK((x == NULL) == (y == NULL) && (x == NULL || (x - left == y - right && wcscmp(x, y) == 0)), "wcstok");
    x = model_wcstok(NULL, L", ", &rest_a);
    y = wcstok(NULL, L", ", &rest_b);
  }
}

void check_locale(void) {
  static const char *const names[] = {"", "C", "POSIX", "C.UTF-8", "C.utf8", "en_US.UTF-8", "xx",
                                      "LC_CTYPE=C.UTF-8;LC_NUMERIC=C", "C", NULL};
  static const int categories[] = {LC_ALL, LC_CTYPE, LC_NUMERIC, LC_MESSAGES, 99, LC_TIME};
  static const int items[] = {CODESET, RADIXCHAR, THOUSEP, DAY_1, ABDAY_7, MON_12, ABMON_1, AM_STR,
                              D_T_FMT, D_FMT, T_FMT, T_FMT_AMPM, YESEXPR, NOEXPR, CRNCYSTR, PM_STR, ERA};
  int round;
  size_t i;
  for (round = 0; round < 200; round++) {
    const char *name = names[below(10)];
    int category = categories[below(6)];
    const char *x = model_setlocale(category, name), *y = setlocale(category, name);
    CHECK((x == NULL) == (y == NULL) && (x == NULL || strcmp(x, y) == 0), "setlocale(%d, %s): %s %s", category,
          name ? name : "NULL", x ? x : "NULL", y ? y : "NULL");
    for (i = 0; i < sizeof items / sizeof *items; i++)
      CHECK(strcmp(model_nl_langinfo(items[i]), nl_langinfo(items[i])) == 0, "nl_langinfo %x: %s %s", items[i],
            model_nl_langinfo(items[i]), nl_langinfo(items[i]));
  }
  model_setlocale(LC_ALL, "C");
  setlocale(LC_ALL, "C");
  CHECK(strcmp(model_localeconv()->decimal_point, ".") == 0 && model_localeconv()->frac_digits == CHAR_MAX &&
            *model_localeconv()->negative_sign == 0, "localeconv");
  {
    locale_t made = model_newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    CHECK(made != NULL && model_uselocale(made) == LC_GLOBAL_LOCALE, "uselocale");
    CHECK(strcmp(model_nl_langinfo(CODESET), "UTF-8") == 0, "the codeset of a locale object");
    CHECK(model_uselocale(LC_GLOBAL_LOCALE) == made, "uselocale");
    model_freelocale(made);
    CHECK(model_newlocale(LC_ALL_MASK, "xx", (locale_t)0) == NULL, "newlocale");
  }
  CHECK(strcmp(model_gettext("text"), "text") == 0 && strcmp(model_ngettext("a", "b", 2), "b") == 0, "gettext");
  CHECK(strcmp(model_textdomain("x"), "x") == 0 && strcmp(model_textdomain(NULL), "x") == 0, "textdomain");
}
