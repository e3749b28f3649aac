/* The product of two matrices of three rows, with the identity on one side.
   wrong: k < N; k++ ==> k < N - 1; k++ */
#include <assert.h>

#define N 3

extern int read_number(void);

static void multiply(int a[N][N], int b[N][N], int c[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int k = 0; k < N; k++) {
        sum += a[i][k] * b[k][j];
      }
      c[i][j] = sum;
    }
  }
}

int main(void) {
  int a[N][N], c[N][N];
  int identity[N][N] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      a[i][j] = read_number();
    }
  }
  multiply(a, identity, c);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      assert(a[i][j] == c[i][j]);
    }
  }
  return 0;
}
