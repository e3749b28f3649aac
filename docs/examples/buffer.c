#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100)
    return 0;
  int *squares = malloc(n * sizeof(int));
  for (int i = 0; i <= n; i++)
    squares[i] = i * i;
  free(squares);
  return 0;
}
