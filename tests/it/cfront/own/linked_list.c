/* A singly linked list: push in front, count, reverse.
   wrong: list = push(list, i); ==> list = push(list, i + i / 3); */
#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *list, int value) {
  struct node *node = malloc(sizeof *node);
  if (node == NULL) {
    exit(1);
  }
  node->value = value;
  node->next = list;
  return node;
}

static struct node *reverse(struct node *list) {
  struct node *done = NULL;
  while (list != NULL) {
    struct node *next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}

static void free_list(struct node *list) {
  while (list != NULL) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}

int main(void) {
  struct node *list = NULL;
  for (int i = 1; i <= 3; i++) {
    list = push(list, i);
  }
  list = reverse(list);
  assert(list->value == 1);
  assert(list->next->value == 2);
  assert(list->next->next->value == 3);
  assert(list->next->next->next == NULL);
  free_list(list);
  return 0;
}
