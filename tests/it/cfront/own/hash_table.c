/* A hash table with open addressing and linear probing.
   wrong: if (table[at].key == key) { ==> if (table[at].key <= key) { */
#include <assert.h>
#include <stdbool.h>

#define SLOTS 8

struct entry {
  bool used;
  unsigned key;
  int value;
};

static struct entry table[SLOTS];

static unsigned hash(unsigned key) {
  return (key * 7 + 3) % SLOTS;
}

static bool put(unsigned key, int value) {
  for (unsigned i = 0; i < SLOTS; i++) {
    unsigned at = (hash(key) + i) % SLOTS;
    if (!table[at].used || table[at].key == key) {
      table[at].used = true;
      table[at].key = key;
      table[at].value = value;
      return true;
    }
  }
  return false;
}

static bool get(unsigned key, int *value) {
  for (unsigned i = 0; i < SLOTS; i++) {
    unsigned at = (hash(key) + i) % SLOTS;
    if (!table[at].used) {
      return false;
    }
    if (table[at].key == key) {
      *value = table[at].value;
      return true;
    }
  }
  return false;
}

int main(void) {
  int value = 0;
  assert(put(1, 100) && put(9, 200) && put(17, 300));
  assert(get(1, &value) && value == 100);
  assert(get(9, &value) && value == 200);
  assert(get(17, &value) && value == 300);
  assert(!get(2, &value));
  assert(put(9, 250) && get(9, &value) && value == 250);
  return 0;
}
