/* Debounces a button: the state changes only after three equal samples.
   wrong: d->count >= 3 ==> d->count >= 2 */
#include <assert.h>
#include <stdbool.h>

extern bool pin(void);
extern bool runs(void);

struct debouncer {
  bool state;
  bool last;
  int count;
};

static void sample(struct debouncer *d, bool level) {
  if (level == d->last) {
    if (d->count < 3) {
      d->count++;
    }
  } else {
    d->last = level;
    d->count = 1;
  }
  if (d->count >= 3) {
    d->state = d->last;
  }
}

int main(void) {
  struct debouncer d = {false, false, 0};
  bool a = false, b = false, c = false;
  while (runs()) {
    bool level = pin();
    bool before = d.state;
    a = b;
    b = c;
    c = level;
    sample(&d, level);
    if (d.state != before) {
      assert(a == b && b == c);
    }
  }
  return 0;
}
