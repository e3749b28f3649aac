/* Fig. 2 of the paper on sliced prefixes: without the reasons. */
extern int f(int x);
extern void reach_error(void);

int main(void) {
  int flag = 0, count = 0;
  for (;;) {
    if (count > 9) break;
    f(count++);
  }
  if (flag == 0 && count == 10) reach_error();
  return 0;
}
