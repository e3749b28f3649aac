/* CRC-8 of three bytes, bit by bit and by halves of bytes.
   wrong: (crc & 0x80) != 0 ==> (crc & 0x40) != 0 */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

static uint8_t crc8(const uint8_t *data, size_t length) {
  uint8_t crc = 0;
  for (size_t i = 0; i < length; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++) {
      if ((crc & 0x80) != 0) {
        crc = (uint8_t)((crc << 1) ^ 0x07);
      } else {
        crc = (uint8_t)(crc << 1);
      }
    }
  }
  return crc;
}

int main(void) {
  uint8_t message[4] = {'1', '2', '3', 0};
  assert(crc8(message, 3) == 0xC0);
  message[3] = crc8(message, 3);
  assert(crc8(message, 4) == 0);
  return 0;
}
