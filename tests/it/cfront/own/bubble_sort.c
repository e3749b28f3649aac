/* Bubble sort of five numbers: they are in order at the end.
   wrong: a[j] > a[j + 1] ==> a[j] < a[j + 1] */
#include <assert.h>

#define N 5

extern int read_number(void);

static void swap(int *x, int *y) {
  int t = *x;
  *x = *y;
  *y = t;
}

static void sort(int *a, int n) {
  for (int i = 0; i < n - 1; i++) {
    for (int j = 0; j < n - 1 - i; j++) {
      if (a[j] > a[j + 1]) {
        swap(&a[j], &a[j + 1]);
      }
    }
  }
}

int main(void) {
  int a[N];
  for (int i = 0; i < N; i++) {
    a[i] = read_number();
  }
  sort(a, N);
  for (int i = 0; i + 1 < N; i++) {
    assert(a[i] <= a[i + 1]);
  }
  return 0;
}
