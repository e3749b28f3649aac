/* Handlers of events in a table of function pointers, with a context.
   wrong: if (c->running) { ==> if (c) { */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

enum event { EVENT_START, EVENT_STOP, EVENT_TICK, EVENTS };

struct context {
  bool running;
  unsigned ticks;
};

typedef void (*handler)(struct context *);

static void on_start(struct context *c) {
  c->running = true;
}

static void on_stop(struct context *c) {
  c->running = false;
  c->ticks = 0;
}

static void on_tick(struct context *c) {
  if (c->running) {
    c->ticks = c->ticks + 1;
  }
}

static const struct {
  enum event event;
  handler handler;
} table[] = {{EVENT_START, on_start}, {EVENT_STOP, on_stop}, {EVENT_TICK, on_tick}};

static void dispatch(struct context *c, enum event event) {
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (table[i].event == event) {
      table[i].handler(c);
      return;
    }
  }
}

extern unsigned next_event(void);

int main(void) {
  struct context c = {false, 0};
  for (;;) {
    unsigned event = next_event();
    if (event >= EVENTS) {
      break;
    }
    dispatch(&c, (enum event)event);
    assert(c.running || c.ticks == 0);
  }
  return 0;
}
