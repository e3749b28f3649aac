/* A circular list with a sentinel: insertion, removal, and the links that belong together.
   wrong: node->next->prev = node->prev; ==> node->next->prev = node; */
#include <assert.h>
#include <stddef.h>

struct link {
  struct link *prev, *next;
  int key;
};

static void list_init(struct link *head) {
  head->prev = head;
  head->next = head;
}

static void list_insert(struct link *at, struct link *node) {
  node->prev = at;
  node->next = at->next;
  at->next->prev = node;
  at->next = node;
}

static void list_remove(struct link *node) {
  node->prev->next = node->next;
  node->next->prev = node->prev;
  node->prev = node->next = NULL;
}

static int list_length(const struct link *head) {
  int length = 0;
  for (const struct link *at = head->next; at != head; at = at->next) {
    length++;
  }
  return length;
}

int main(void) {
  struct link head, a, b, c;
  list_init(&head);
  list_insert(&head, &a);
  list_insert(&a, &b);
  list_insert(&b, &c);
  assert(list_length(&head) == 3);
  list_remove(&b);
  assert(a.next == &c && c.prev == &a);
  assert(list_length(&head) == 2);
  return 0;
}
