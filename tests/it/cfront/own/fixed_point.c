/* Numbers with 8 bits behind the point: conversion, sum and product with saturation.
   wrong: if (wide > INT16_MAX) { ==> if (wide > INT16_MAX + 1) { */
#include <assert.h>
#include <stdint.h>

typedef int16_t fixed;

extern int16_t input(void);

static fixed saturate(int32_t wide) {
  if (wide > INT16_MAX) {
    return INT16_MAX;
  }
  if (wide < INT16_MIN) {
    return INT16_MIN;
  }
  return (fixed)wide;
}

static fixed add(fixed a, fixed b) {
  return saturate((int32_t)a + b);
}

static fixed multiply(fixed a, fixed b) {
  return saturate((int32_t)a * b / 256);
}

int main(void) {
  fixed a = input(), b = input();
  fixed sum = add(a, b);
  if (a >= 0 && b >= 0) {
    assert(sum >= a && sum >= b);
  }
  if (a <= 0 && b <= 0) {
    assert(sum <= a && sum <= b);
  }
  assert(multiply(a, 256) == a);
  assert(multiply(512, 768) == 1536);
  return 0;
}
