/* A moving average over four samples with a running sum.
   wrong: f->sum -= f->samples[f->at]; ==> f->sum -= f->samples[(f->at + 1) % WINDOW]; */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define WINDOW 4

extern int16_t adc(void);
extern bool runs(void);

struct filter {
  int16_t samples[WINDOW];
  int32_t sum;
  uint8_t at;
};

static int16_t update(struct filter *f, int16_t sample) {
  f->sum -= f->samples[f->at];
  f->samples[f->at] = sample;
  f->sum += sample;
  f->at = (f->at + 1) % WINDOW;
  return (int16_t)(f->sum / WINDOW);
}

int main(void) {
  struct filter f = {{0, 0, 0, 0}, 0, 0};
  while (runs()) {
    update(&f, adc());
    int32_t sum = 0;
    for (int i = 0; i < WINDOW; i++) {
      sum += f.samples[i];
    }
    assert(sum == f.sum);
    assert(f.at < WINDOW);
  }
  return 0;
}
