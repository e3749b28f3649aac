int main(void) {
  unsigned step = 1;
  while (step != 10)
    step += 2;
  return 0;
}
