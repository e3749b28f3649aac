/* After Fig. 3 of the paper on Craig and Newton: the bound of the first value is forgotten when the loop takes a new one, and that
   the sum is no less than zero remains. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int k = __VERIFIER_nondet_int();
  __VERIFIER_assume(k >= 0);
  int y = k;
  while (__VERIFIER_nondet_int()) {
    k = __VERIFIER_nondet_int();
    __VERIFIER_assume(k >= 0);
    y = y + k;
  }
  if (y < 0) reach_error();
  return 0;
}
