/* After the running example of the paper on k-induction, predicate abstraction and Impact: two counters that go up together. */
extern void reach_error(void);

int main(void) {
  unsigned int x = 0, y = 0;
  while (x < 2) {
    x++;
    y++;
    if (x != y) reach_error();
  }
  return 0;
}
