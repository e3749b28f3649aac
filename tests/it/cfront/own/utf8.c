/* The length of a character in UTF-8 by its first byte, and the decoding of two bytes.
   wrong: byte < 0xE0 ==> byte <= 0xE0 */
#include <assert.h>
#include <stdint.h>

extern uint8_t next_byte(void);

static int sequence_length(uint8_t byte) {
  if (byte < 0x80) {
    return 1;
  }
  if (byte < 0xC2) {
    return 0;
  }
  if (byte < 0xE0) {
    return 2;
  }
  if (byte < 0xF0) {
    return 3;
  }
  return byte < 0xF5 ? 4 : 0;
}

static uint32_t decode_two(uint8_t first, uint8_t second) {
  return ((uint32_t)(first & 0x1F) << 6) | (second & 0x3F);
}

int main(void) {
  uint8_t first = next_byte();
  if (sequence_length(first) == 2) {
    uint8_t second = next_byte();
    if (second >= 0x80 && second <= 0xBF) {
      uint32_t code = decode_two(first, second);
      assert(code >= 0x80 && code <= 0x7FF);
    }
  }
  assert(sequence_length('a') == 1);
  assert(decode_two(0xC3, 0xA9) == 0xE9);
  return 0;
}
