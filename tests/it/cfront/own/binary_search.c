/* Binary search in a sorted table: what it finds is what was sought.
   wrong: low = middle + 1; ==> low = middle + 2; */
#include <assert.h>

#define N 8

static const int table[N] = {1, 3, 4, 7, 9, 12, 20, 31};

static int find(int key) {
  int low = 0, high = N - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (table[middle] == key) {
      return middle;
    }
    if (table[middle] < key) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return -1;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    assert(find(table[i]) == i);
  }
  assert(find(5) == -1);
  assert(find(100) == -1);
  return 0;
}
