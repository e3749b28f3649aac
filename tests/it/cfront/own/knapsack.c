/* The knapsack problem by a table, as a course on algorithms has it.
   wrong: w >= weights[i] ==> w > weights[i] */
#include <assert.h>

#define ITEMS 3
#define ROOM 6

static const int weights[ITEMS] = {2, 3, 4};
static const int values[ITEMS] = {3, 4, 6};

static int max(int a, int b) {
  return a > b ? a : b;
}

static int best(void) {
  int table[ITEMS + 1][ROOM + 1];
  for (int w = 0; w <= ROOM; w++) {
    table[0][w] = 0;
  }
  for (int i = 0; i < ITEMS; i++) {
    for (int w = 0; w <= ROOM; w++) {
      table[i + 1][w] = table[i][w];
      if (w >= weights[i]) {
        table[i + 1][w] = max(table[i][w], table[i][w - weights[i]] + values[i]);
      }
    }
  }
  return table[ITEMS][ROOM];
}

/* The same by all subsets. */
static int best_of_subsets(void) {
  int found = 0;
  for (unsigned set = 0; set < 1u << ITEMS; set++) {
    int weight = 0, value = 0;
    for (int i = 0; i < ITEMS; i++) {
      if (set & 1u << i) {
        weight += weights[i];
        value += values[i];
      }
    }
    if (weight <= ROOM) {
      found = max(found, value);
    }
  }
  return found;
}

int main(void) {
  assert(best() == best_of_subsets());
  return 0;
}
