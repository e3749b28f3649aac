/* The greatest common divisor by Euclid's algorithm divides both numbers.
   wrong: a = b; ==> a = r; */
#include <assert.h>

extern unsigned read_number(void);

static unsigned gcd(unsigned a, unsigned b) {
  while (b != 0) {
    unsigned r = a % b;
    a = b;
    b = r;
  }
  return a;
}

int main(void) {
  assert(gcd(12, 18) == 6);
  assert(gcd(17, 5) == 1);
  assert(gcd(0, 9) == 9);
  unsigned n = read_number();
  if (n > 0) {
    assert(gcd(n, 0) == n);
    assert(gcd(n, n) == n);
  }
  return 0;
}
