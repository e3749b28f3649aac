/* The Fletcher checksum with 16 bits of a message, and its check by the receiver.
   wrong: b = (b + a) % 255; ==> b = (b + a) % 256; */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

static uint16_t fletcher16(const uint8_t *data, size_t length) {
  uint16_t a = 0, b = 0;
  for (size_t i = 0; i < length; i++) {
    a = (a + data[i]) % 255;
    b = (b + a) % 255;
  }
  return (uint16_t)(b * 256 + a);
}

int main(void) {
  uint8_t abcde[5] = {'a', 'b', 'c', 'd', 'e'};
  assert(fletcher16(abcde, 5) == 0xC8F0);
  return 0;
}
