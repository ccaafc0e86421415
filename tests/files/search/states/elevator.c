// The controller of a lift: it is told of one event after the other, and each state asks for its own. Some
// branches ask how often something has happened in a state, others for two such counts: a part of a known
// sequence of events is repeated for the one, parts of two sequences are joined for the other.
// expect: mix covers everything within 6000 paths, rp-md2u does not
#include <labrys.h>

enum state { PARKED, CALLED, MOVING, STOPPING, OPEN, BLOCKED, SERVICE };
enum event { CALL = 11, START = 23, FLOOR = 31, ARRIVE = 47, DOOR = 53, CLOSE = 61, BEAM = 71, KEY = 83, TICK = 97 };

static enum state state;
static int floors, trips, beams, blocked, ticks, serviced;

static int step(int event)
{
  switch (state) {
  case PARKED:
    if (event == CALL)
      state = CALLED;
    else if (event == KEY && trips >= 2)
      state = SERVICE;
    break;
  case CALLED:
    if (event == START) {
      state = MOVING;
      floors = 0;
    }
    break;
  case MOVING:
    if (event == FLOOR)
      floors++;
    else if (event == ARRIVE && floors >= 3)
      state = STOPPING;
    if (floors > 6)
      return 1;
    break;
  case STOPPING:
    if (event == DOOR) {
      state = OPEN;
      beams = 0;
    } else if (event == TICK && ++ticks > 5) {
      return 2;
    }
    break;
  case OPEN:
    if (event == BEAM) {
      beams++;
      if (beams == 5) {
        state = BLOCKED;
        blocked++;
      }
    } else if (event == CLOSE) {
      state = PARKED;
      trips++;
    }
    break;
  case BLOCKED:
    if (event == KEY)
      state = OPEN, beams = 0;
    else if (event == TICK && blocked == 2 && trips == 1)
      return 3;
    break;
  default:
    if (event == TICK)
      serviced++;
    else if (event == CLOSE)
      return serviced >= 4 && blocked >= 1 ? 4 : 5;
    break;
  }
  return 0;
}

int main(void)
{
  int result = 0;

  for (int turn = 0; turn < 60 && result == 0; turn++)
    result = step(labrys_int("event"));
  return result;
}
