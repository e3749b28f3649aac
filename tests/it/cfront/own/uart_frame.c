/* A receiver of frames: a start byte, a length, that number of bytes, and their sum.
   wrong: if (byte == 0 || byte > LONGEST) { ==> if (byte == 0) { */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define START 0x7e
#define LONGEST 16

extern uint8_t receive(void);
extern bool powered(void);

enum state { WAIT, LENGTH, DATA, SUM };

struct receiver {
  enum state state;
  uint8_t data[LONGEST];
  uint8_t length;
  uint8_t count;
  uint8_t sum;
};

static bool feed(struct receiver *r, uint8_t byte) {
  switch (r->state) {
  case WAIT:
    if (byte == START) {
      r->state = LENGTH;
    }
    return false;
  case LENGTH:
    if (byte == 0 || byte > LONGEST) {
      r->state = WAIT;
      return false;
    }
    r->length = byte;
    r->count = 0;
    r->sum = 0;
    r->state = DATA;
    return false;
  case DATA:
    assert(r->count < LONGEST);
    r->data[r->count++] = byte;
    r->sum += byte;
    if (r->count == r->length) {
      r->state = SUM;
    }
    return false;
  case SUM:
    r->state = WAIT;
    return r->sum == byte;
  }
  return false;
}

int main(void) {
  struct receiver r = {WAIT, {0}, 0, 0, 0};
  while (powered()) {
    if (feed(&r, receive())) {
      assert(r.length > 0 && r.count == r.length);
    }
  }
  return 0;
}
