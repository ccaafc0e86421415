// A recipe in a small language: its words come in order, each with numbers, and some may be left out. Only a
// recipe that is right to its end is checked, and the check asks what three earlier lines have said. Such a
// recipe is put together of parts of others, which were wrong elsewhere.
// expect: mix covers everything within 6000 paths, rp-md2u does not
#include <labrys.h>
#include <string.h>

enum yeast { NO_YEAST, ALE, LAGER, WEIZEN };
enum water { PLAIN, SOFT, HARD };

static char text[200];
static int at;
static enum yeast yeast;
static enum water water;
static int malts, hops, bitter, rests, hottest, days;

static int is_capital(char c) { return c >= 'A' && c <= 'Z'; }

static void skip(void)
{
  while (at < 200 && text[at] == ' ')
    at++;
}

static int next_is(const char *wanted)
{
  char word[9];
  int start = at;
  int n = 0;

  skip();
  while (at < 200 && n < 8 && is_capital(text[at]))
    word[n++] = text[at++];
  word[n] = '\0';
  if (strcmp(word, wanted) == 0)
    return 1;
  at = start;
  return 0;
}

static int number(int most)
{
  int n = 0;

  skip();
  while (at < 200 && text[at] >= '0' && text[at] <= '9' && n <= most)
    n = 10 * n + (text[at++] - '0');
  return n >= 1 && n <= most ? n : 0;
}

static int read_malt(void)
{
  if (!number(40))
    return 1;
  if (next_is("SMOKED") || next_is("ROASTED"))
    hottest = 110;
  malts++;
  return 0;
}

static int read_mash(void)
{
  while (next_is("REST")) {
    int heat = number(80);

    if (heat < 35 || heat <= hottest % 100)
      return 2;
    hottest = heat;
    if (++rests > 4)
      return 3;
  }
  return 0;
}

static int read_hop(void)
{
  if (!number(90))
    return 4;
  hops++;
  if (next_is("BITTER"))
    bitter++;
  else if (!next_is("AROMA"))
    return 5;
  return 0;
}

static int read_rest_of_it(void)
{
  if (next_is("WATER")) {
    if (next_is("SOFT"))
      water = SOFT;
    else if (next_is("HARD"))
      water = HARD;
    else
      return 6;
  }
  if (!next_is("YEAST"))
    return 7;
  if (next_is("ALE"))
    yeast = ALE;
  else if (next_is("LAGER"))
    yeast = LAGER;
  else if (next_is("WEIZEN"))
    yeast = WEIZEN;
  else
    return 8;
  if (!next_is("DAYS"))
    return 9;
  days = number(99);
  return days == 0 ? 10 : 0;
}

static int check(void)
{
  if (yeast == LAGER && days < 30)
    return 20;
  if (yeast == WEIZEN && hops > 1)
    return 21;
  if (water == HARD && bitter >= 2 && malts > 1)
    return 22;
  if (rests == 3 && yeast == LAGER && water == SOFT)
    return 23;
  if (hottest == 110)
    return 24;
  return 0;
}

int main(void)
{
  int wrong = 0;

  labrys_symbolic(text, sizeof text, "text");
  if (!next_is("RECIPE"))
    return 30;
  while (!wrong && next_is("MALT"))
    wrong = read_malt();
  if (wrong || malts == 0)
    return wrong + 31;
  if (next_is("MASH"))
    wrong = read_mash();
  while (!wrong && next_is("HOP"))
    wrong = read_hop();
  if (wrong || hops == 0)
    return wrong + 40;
  wrong = read_rest_of_it();
  if (wrong)
    return wrong;
  return next_is("END") ? check() : 50;
}
