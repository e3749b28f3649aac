/* Counts words and lines of what is typed, one character at a time.
   wrong: counts.words++; ==> counts.words += 2; */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>

struct counts {
  unsigned characters;
  unsigned words;
  unsigned lines;
};

static bool is_space(int c) {
  return c == ' ' || c == '\t' || c == '\n';
}

int main(void) {
  struct counts counts = {0, 0, 0};
  bool inside = false;
  int c;
  while (counts.characters < 1000000 && (c = getchar()) != EOF) {
    counts.characters++;
    if (is_space(c)) {
      if (c == '\n') {
        counts.lines++;
      }
      inside = false;
    } else if (!inside) {
      inside = true;
      counts.words++;
    }
    assert(counts.words <= counts.characters);
    assert(counts.lines + counts.words <= counts.characters);
    assert(inside ? counts.words > 0 : true);
  }
  return 0;
}
