// A letter that is read word by word. A word is read to its end before it is compared, so how long it is
// was decided earlier, in a loop that all words share; and how many lines there must be was read long
// before. The choices next to a comparison that came out wrong are tried first.
// expect: mix covers everything within 6000 paths, rp-md2u does not
#include <labrys.h>
#include <string.h>

static char letter[90];
static int at;

static int is_capital(char c) { return c >= 'A' && c <= 'Z'; }

static int next_is(const char *wanted)
{
  char word[8];
  int start = at;
  int n = 0;

  while (at < 90 && letter[at] == ' ')
    at++;
  while (at < 90 && n < 7 && is_capital(letter[at]))
    word[n++] = letter[at++];
  word[n] = '\0';
  if (strcmp(word, wanted) == 0)
    return 1;
  at = start;
  return 0;
}

static int digit(int most)
{
  while (at < 90 && letter[at] == ' ')
    at++;
  if (at < 90 && letter[at] >= '1' && letter[at] <= '0' + most)
    return letter[at++] - '0';
  return 0;
}

static int line(int lines)
{
  int number = digit(lines);

  if (number == 0)
    return 1;
  if (!next_is("OF"))
    return 2;
  if (next_is("PAPER"))
    return digit(9) == 0;
  if (next_is("INK"))
    return 0;
  return 3;
}

static int order(void)
{
  int lines, found = 0;

  if (!next_is("ORDER"))
    return 1;
  lines = digit(4);
  if (lines == 0)
    return 2;
  while (next_is("LINE")) {
    if (line(lines))
      return 3;
    found++;
  }
  if (found != lines)
    return 4;
  if (!next_is("TOTAL"))
    return 5;
  if (next_is("AIR"))
    return next_is("MAIL") ? 6 : 7;
  if (next_is("SEA"))
    return 8;
  return next_is("REGARDS") ? 0 : 9;
}

int main(void)
{
  labrys_symbolic(letter, sizeof letter, "letter");
  return order();
}
