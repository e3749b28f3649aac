extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
  double low = __VERIFIER_nondet_double(), high = __VERIFIER_nondet_double();
  if (!(low >= 0 && high >= 0 && high <= 1000)) return 0;
  double sum = 0;
  for (int i = 0; i < 10; i++) {
    sum = (sum + high) * 0.5;
    if (sum < 0 || sum > 1000) reach_error();
  }
  return 0;
}
