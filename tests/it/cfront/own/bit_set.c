/* A set of numbers below 64 as bits of two words: insert, remove, contains, count.
   wrong: set->words[n / 32] &= ~(1u << (n % 32)); ==> set->words[n / 32] ^= 1u << (n % 31); */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct set {
  uint32_t words[2];
};

static void insert(struct set *set, unsigned n) {
  set->words[n / 32] |= 1u << (n % 32);
}

static void remove_number(struct set *set, unsigned n) {
  set->words[n / 32] &= ~(1u << (n % 32));
}

static bool contains(const struct set *set, unsigned n) {
  return (set->words[n / 32] >> (n % 32)) & 1;
}

static unsigned count(const struct set *set) {
  unsigned total = 0;
  for (unsigned n = 0; n < 64; n++) {
    if (contains(set, n)) {
      total++;
    }
  }
  return total;
}

int main(void) {
  struct set set = {{0, 0}};
  insert(&set, 3);
  insert(&set, 40);
  insert(&set, 63);
  assert(contains(&set, 3) && contains(&set, 40) && !contains(&set, 4));
  remove_number(&set, 63);
  assert(!contains(&set, 63));
  assert(count(&set) == 2);
  return 0;
}
