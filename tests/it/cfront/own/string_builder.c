/* A string that grows by doubling, as libraries have it.
   wrong: while (b->length + more >= capacity) { ==> if (b->length + more >= capacity) { */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct builder {
  char *text;
  size_t length;
  size_t capacity;
};

static void reserve(struct builder *b, size_t more) {
  size_t capacity = b->capacity;
  while (b->length + more >= capacity) {
    capacity *= 2;
  }
  if (capacity != b->capacity) {
    b->text = realloc(b->text, capacity);
    if (!b->text) {
      exit(1);
    }
    b->capacity = capacity;
  }
}

static void append(struct builder *b, const char *text) {
  size_t more = strlen(text);
  reserve(b, more);
  assert(b->length + more < b->capacity);
  for (size_t i = 0; i <= more; i++) {
    b->text[b->length + i] = text[i];
  }
  b->length += more;
}

int main(void) {
  struct builder b = {malloc(4), 0, 4};
  if (!b.text) {
    return 1;
  }
  b.text[0] = '\0';
  append(&b, "ab");
  append(&b, "");
  append(&b, "cdefghijkl");
  assert(b.length == 12 && b.capacity == 16);
  assert(b.text[0] == 'a' && b.text[11] == 'l' && b.text[12] == '\0');
  free(b.text);
  return 0;
}
