/* Fig. 1 of the paper on Craig and Newton: what is allocated in a round is freed in it, so that the table of what is allocated is at the
   end what it was. The equality of the arrays is asked at any one place. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

_Bool before[100], now[100];

int main(void) {
  int x = 0, asked = __VERIFIER_nondet_int();
  __VERIFIER_assume(asked >= 0 && asked < 100);
  before[asked] = now[asked] = __VERIFIER_nondet_int();
  while (__VERIFIER_nondet_int()) {
    int p = __VERIFIER_nondet_int();
    __VERIFIER_assume(p >= 0 && p < 100);
    __VERIFIER_assume(!now[p]);
    now[p] = 1;
    x = x + 1;
    now[p] = 0;
  }
  if (before[asked] != now[asked]) reach_error();
  return 0;
}
