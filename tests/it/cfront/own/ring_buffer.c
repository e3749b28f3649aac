/* A ring buffer of bytes, as drivers have it: the count is never more than the capacity.
   wrong: rb->count == CAPACITY ==> rb->count > CAPACITY */
#include <assert.h>
#include <stdbool.h>

#define CAPACITY 8

extern int read_sensor(void);
extern bool event(void);

struct ring {
  unsigned char data[CAPACITY];
  unsigned head;
  unsigned tail;
  unsigned count;
};

static void ring_init(struct ring *rb) {
  rb->head = 0;
  rb->tail = 0;
  rb->count = 0;
}

static bool ring_full(const struct ring *rb) {
  return rb->count == CAPACITY;
}

static bool ring_empty(const struct ring *rb) {
  return rb->count == 0;
}

static bool ring_put(struct ring *rb, unsigned char value) {
  if (ring_full(rb)) {
    return false;
  }
  rb->data[rb->head] = value;
  rb->head = (rb->head + 1) % CAPACITY;
  rb->count++;
  return true;
}

static bool ring_get(struct ring *rb, unsigned char *value) {
  if (ring_empty(rb)) {
    return false;
  }
  *value = rb->data[rb->tail];
  rb->tail = (rb->tail + 1) % CAPACITY;
  rb->count--;
  return true;
}

int main(void) {
  struct ring rb;
  unsigned char value = 0;
  ring_init(&rb);
  while (event()) {
    if (event()) {
      ring_put(&rb, (unsigned char)read_sensor());
    } else {
      ring_get(&rb, &value);
    }
    assert(rb.count <= CAPACITY);
    assert(rb.head < CAPACITY && rb.tail < CAPACITY);
  }
  return 0;
}
