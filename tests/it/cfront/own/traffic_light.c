/* The state machine of two traffic lights at a crossing: never both green.
   wrong: return ticks >= 3 ? ALL_RED_1 ==> return ticks >= 3 ? EW_GREEN */
#include <assert.h>
#include <stdbool.h>

enum state { NS_GREEN, NS_YELLOW, ALL_RED_1, EW_GREEN, EW_YELLOW, ALL_RED_2 };
enum colour { RED, YELLOW, GREEN };

extern bool car_waits(void);
extern bool runs(void);

static enum state step(enum state state, unsigned ticks, bool waits) {
  switch (state) {
  case NS_GREEN:
    return ticks >= 20 && waits ? NS_YELLOW : NS_GREEN;
  case NS_YELLOW:
    return ticks >= 3 ? ALL_RED_1 : NS_YELLOW;
  case ALL_RED_1:
    return ticks >= 1 ? EW_GREEN : ALL_RED_1;
  case EW_GREEN:
    return ticks >= 10 ? EW_YELLOW : EW_GREEN;
  case EW_YELLOW:
    return ticks >= 3 ? ALL_RED_2 : EW_YELLOW;
  case ALL_RED_2:
    return ticks >= 1 ? NS_GREEN : ALL_RED_2;
  }
  return ALL_RED_1;
}

static enum colour north_south(enum state state) {
  return state == NS_GREEN ? GREEN : state == NS_YELLOW ? YELLOW : RED;
}

static enum colour east_west(enum state state) {
  return state == EW_GREEN ? GREEN : state == EW_YELLOW ? YELLOW : RED;
}

int main(void) {
  enum state state = ALL_RED_2;
  unsigned ticks = 0;
  enum colour before = RED;
  while (runs()) {
    enum state next = step(state, ticks, car_waits());
    ticks = next == state ? ticks + 1 : 0;
    before = north_south(state);
    state = next;
    assert(north_south(state) == RED || east_west(state) == RED);
    assert(!(before == YELLOW && east_west(state) == GREEN));
  }
  return 0;
}
