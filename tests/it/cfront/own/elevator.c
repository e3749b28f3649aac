/* An elevator with requests in a set of bits: it moves only while the doors are closed.
   wrong: case DOORS_OPEN: ==> case DOORS_OPEN: case MOVING_UP: */
#include <assert.h>
#include <stdbool.h>

enum state { IDLE, MOVING_UP, MOVING_DOWN, DOORS_OPEN };

#define FLOORS 5

extern unsigned char button(void);
extern bool running(void);

struct elevator {
  enum state state;
  int floor;
  bool doors;
  bool wanted[FLOORS];
};

static bool wanted_above(const struct elevator *e) {
  for (int floor = e->floor + 1; floor < FLOORS; floor++) {
    if (e->wanted[floor]) {
      return true;
    }
  }
  return false;
}

static bool wanted_below(const struct elevator *e) {
  for (int floor = e->floor - 1; floor >= 0; floor--) {
    if (e->wanted[floor]) {
      return true;
    }
  }
  return false;
}

static void decide(struct elevator *e) {
  e->doors = false;
  if (e->wanted[e->floor]) {
    e->wanted[e->floor] = false;
    e->doors = true;
    e->state = DOORS_OPEN;
  } else if (wanted_above(e)) {
    e->state = MOVING_UP;
  } else if (wanted_below(e)) {
    e->state = MOVING_DOWN;
  } else {
    e->state = IDLE;
  }
}

static void step(struct elevator *e) {
  switch (e->state) {
  case MOVING_DOWN:
    e->floor--;
    decide(e);
    break;
  case DOORS_OPEN:
    assert(e->doors);
    decide(e);
    break;
  case IDLE:
    decide(e);
    break;
  default:
    e->floor++;
    decide(e);
    break;
  }
}

int main(void) {
  struct elevator e = {IDLE, 0, false, {false}};
  while (running()) {
    unsigned char floor = button();
    if (floor < FLOORS) {
      e.wanted[floor] = true;
    }
    step(&e);
    assert(e.floor >= 0 && e.floor < FLOORS);
    assert(e.doors == (e.state == DOORS_OPEN));
  }
  return 0;
}
