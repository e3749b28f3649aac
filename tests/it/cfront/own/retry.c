/* A protocol with acknowledgements and retries: it gives up after five of them.
   wrong: if (++c->retries > LIMIT) { ==> if (c->retries++ > LIMIT) { */
#include <assert.h>
#include <stdbool.h>

#define LIMIT 5

enum state { IDLE, WAITING, FAILED };

struct connection {
  enum state state;
  int retries;
  unsigned sent;
};

extern bool acknowledged(void);
extern bool wants_to_send(void);
extern bool runs(void);

static void step(struct connection *c) {
  switch (c->state) {
  case IDLE:
    if (wants_to_send()) {
      c->state = WAITING;
      c->retries = 0;
    }
    break;
  case WAITING:
    if (acknowledged()) {
      c->state = IDLE;
      c->sent++;
      break;
    }
    if (++c->retries > LIMIT) {
      c->state = FAILED;
    }
    break;
  case FAILED:
    break;
  }
}

int main(void) {
  struct connection c = {IDLE, 0, 0};
  while (runs()) {
    step(&c);
    assert(c.retries >= 0 && c.retries <= LIMIT + 1);
    assert(c.state != FAILED || c.retries == LIMIT + 1);
  }
  return 0;
}
