/* A binary heap of priorities with a fixed capacity: what is taken is the smallest.
   wrong: q->items[child] < q->items[smallest] ==> q->items[child] > q->items[smallest] */
#include <assert.h>
#include <stdbool.h>

#define CAPACITY 6

struct queue {
  int items[CAPACITY];
  unsigned count;
};

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

static bool push(struct queue *q, int item) {
  if (q->count == CAPACITY) {
    return false;
  }
  unsigned at = q->count++;
  q->items[at] = item;
  while (at > 0 && q->items[at] < q->items[(at - 1) / 2]) {
    swap(&q->items[at], &q->items[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
  return true;
}

static bool pop(struct queue *q, int *item) {
  if (q->count == 0) {
    return false;
  }
  *item = q->items[0];
  q->items[0] = q->items[--q->count];
  unsigned at = 0;
  for (;;) {
    unsigned smallest = at;
    for (unsigned child = 2 * at + 1; child <= 2 * at + 2; child++) {
      if (child < q->count && q->items[child] < q->items[smallest]) {
        smallest = child;
      }
    }
    if (smallest == at) {
      return true;
    }
    swap(&q->items[at], &q->items[smallest]);
    at = smallest;
  }
}

int main(void) {
  static const int priorities[] = {5, -3, 8, 0, 2, 7};
  struct queue q = {{0}, 0};
  for (unsigned i = 0; i < 6; i++) {
    assert(push(&q, priorities[i]));
  }
  assert(!push(&q, 1));
  int last = -100, item;
  while (pop(&q, &item)) {
    assert(item >= last);
    last = item;
  }
  assert(last == 8);
  return 0;
}
