/* A list of timers with links inside of the elements, as kernels have it: what is due runs in order.
   wrong: timer->due > before->due ==> timer->due < before->due */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct link {
  struct link *next;
};

struct timer {
  unsigned due;
  struct link link;
  int fired;
};

#define container_of(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

static void insert(struct link *head, struct timer *timer) {
  struct link *at = head;
  while (at->next) {
    struct timer *before = container_of(at->next, struct timer, link);
    if (!(timer->due > before->due)) {
      break;
    }
    at = at->next;
  }
  timer->link.next = at->next;
  at->next = &timer->link;
}

static struct timer *first(struct link *head) {
  struct link *link = head->next;
  if (!link) {
    return NULL;
  }
  head->next = link->next;
  return container_of(link, struct timer, link);
}

int main(void) {
  static const unsigned due[] = {30, 10, 20, 40};
  struct timer timers[4];
  struct link head = {NULL};
  for (size_t i = 0; i < 4; i++) {
    timers[i].due = due[i];
    timers[i].fired = 0;
    insert(&head, &timers[i]);
  }
  unsigned last = 0;
  int count = 0;
  for (struct timer *timer = first(&head); timer; timer = first(&head)) {
    assert(timer->due >= last);
    assert(!timer->fired);
    timer->fired = 1;
    last = timer->due;
    count++;
  }
  assert(count == 4);
  return 0;
}
