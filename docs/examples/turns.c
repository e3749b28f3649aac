extern int __VERIFIER_nondet_int(void);

int main(void) {
  int rounds = __VERIFIER_nondet_int(), left = 0, size = __VERIFIER_nondet_int();
  while (rounds > 0) {
    if (left > 0) {
      left--;
    } else {
      rounds--;
      left = size;
    }
  }
  return 0;
}
