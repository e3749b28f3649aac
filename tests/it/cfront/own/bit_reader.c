/* Reads fields of bits from a message, as decoders of protocols do, and never behind its end.
   wrong: if (count > 32 || count > left(r)) { ==> if (count > 32) { */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader {
  const uint8_t *bytes;
  size_t size;
  size_t bit;
};

static size_t left(const struct reader *r) {
  return 8 * r->size - r->bit;
}

static bool read_bits(struct reader *r, unsigned count, uint32_t *out) {
  uint32_t value = 0;
  if (count > 32 || count > left(r)) {
    return false;
  }
  for (unsigned i = 0; i < count; i++) {
    assert(r->bit / 8 < r->size);
    unsigned bit = r->bytes[r->bit / 8] >> (7 - r->bit % 8) & 1;
    value = 2 * value + bit;
    r->bit++;
  }
  *out = value;
  return true;
}

int main(void) {
  static const uint8_t message[] = {0xb2, 0x0f, 0x80};
  struct reader r = {message, sizeof message, 0};
  uint32_t version, length, rest;
  assert(read_bits(&r, 3, &version) && version == 5);
  assert(read_bits(&r, 13, &length) && length == 0x120f);
  assert(left(&r) == 8);
  if (read_bits(&r, 12, &rest)) {
    assert(rest < 4096);
  }
  assert(r.bit <= 8 * sizeof message);
  return 0;
}
