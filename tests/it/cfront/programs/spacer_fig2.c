/* The bounded program of Fig. 2 of the SPACER paper: at most b rounds, safe. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int x = 0, y = 0, z = 0, w = 0;
  int bound = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  __VERIFIER_assume(c >= 0 && c <= bound);
  for (; c > 0; c--) {
    switch (__VERIFIER_nondet_int()) {
    case 0:
      x++, y += 100;
      break;
    case 1:
      __VERIFIER_assume(x >= 4);
      x++, y++;
      break;
    default:
      __VERIFIER_assume(y > 10 * w && z >= 100 * x);
      y = -y;
    }
    z += 1;
    w += 10;
  }
  if (x >= 4 && y <= 2) reach_error();
  return 0;
}
