/* A vector of numbers that grows with realloc.
   wrong: vector_push(&v, i * i); ==> vector_push(&v, i + i); */
#include <assert.h>
#include <stdlib.h>

struct vector {
  int *items;
  size_t size, capacity;
};

static void vector_push(struct vector *v, int item) {
  if (v->size == v->capacity) {
    size_t capacity = v->capacity == 0 ? 2 : v->capacity * 2;
    int *items = realloc(v->items, capacity * sizeof *items);
    if (items == NULL) {
      exit(1);
    }
    v->items = items;
    v->capacity = capacity;
  }
  v->items[v->size++] = item;
}

int main(void) {
  struct vector v = {NULL, 0, 0};
  for (int i = 0; i < 5; i++) {
    vector_push(&v, i * i);
  }
  assert(v.size == 5 && v.capacity >= v.size);
  assert(v.items[0] == 0 && v.items[3] == 9 && v.items[4] == 16);
  free(v.items);
  return 0;
}
