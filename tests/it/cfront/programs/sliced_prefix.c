/* Fig. 2 of the paper on sliced prefixes: two reasons for the error to be out of reach, of which one needs the loop. */
extern int f(int x);
extern void reach_error(void);

int main(void) {
  int flag = 0, count = 0;
  for (;;) {
    if (count > 9) break;
    f(count++);
  }
  if (flag != 0 && count != 10) reach_error();
  return 0;
}
