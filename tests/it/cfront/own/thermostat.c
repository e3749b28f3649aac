/* A thermostat with hysteresis: the heater is off above the upper limit.
   wrong: if (temperature >= HIGH) { ==> if (temperature > HIGH + 5) { */
#include <assert.h>
#include <stdbool.h>

#define LOW 18
#define HIGH 22

extern int measure(void);
extern bool runs(void);

struct thermostat {
  bool heating;
  int switches;
};

static void control(struct thermostat *t, int temperature) {
  bool before = t->heating;
  if (temperature >= HIGH) {
    t->heating = false;
  } else if (temperature <= LOW) {
    t->heating = true;
  }
  if (before != t->heating && t->switches < 1000) {
    t->switches++;
  }
}

int main(void) {
  struct thermostat t = {false, 0};
  while (runs()) {
    int temperature = measure();
    if (temperature < -40 || temperature > 80) {
      continue;
    }
    control(&t, temperature);
    assert(!(t.heating && temperature >= HIGH));
    assert(!(!t.heating && temperature <= LOW));
    assert(t.switches >= 0 && t.switches <= 1000);
  }
  return 0;
}
