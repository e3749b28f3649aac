/* Models of the compiler's functions on bits, and of its checks for overflow. Those on shorter
 * numbers are those on the longest. `ffs` is a function of the library as well. */

int __builtin_popcountll(unsigned long long x) {
  int count = 0;
  while (x != 0) {
    count += x % 2;
    x = x / 2;
  }
  return count;
}
int __builtin_popcountl(unsigned long x) { return __builtin_popcountll(x); }
int __builtin_popcount(unsigned x) { return __builtin_popcountll(x); }

int __builtin_parityll(unsigned long long x) { return __builtin_popcountll(x) % 2; }
int __builtin_parityl(unsigned long x) { return __builtin_popcountll(x) % 2; }
int __builtin_parity(unsigned x) { return __builtin_popcountll(x) % 2; }

/* Of 0 the results of `ctz` and `clz` have no meaning. */
int __builtin_ctzll(unsigned long long x) {
  int count = 0;
  horn_assume(x != 0);
  while (x % 2 == 0) {
    x = x / 2;
    count++;
  }
  return count;
}
int __builtin_ctzl(unsigned long x) { return __builtin_ctzll(x); }
int __builtin_ctz(unsigned x) { return __builtin_ctzll(x); }

/* The number of bits up to the highest one that is 1. */
static int horn_length(unsigned long long x) {
  int length = 0;
  while (x != 0) {
    x = x / 2;
    length++;
  }
  return length;
}

int __builtin_clzll(unsigned long long x) {
  horn_assume(x != 0);
  return 64 - horn_length(x);
}
int __builtin_clzl(unsigned long x) {
  horn_assume(x != 0);
  return 8 * (int)sizeof(x) - horn_length(x);
}
int __builtin_clz(unsigned x) {
  horn_assume(x != 0);
  return 32 - horn_length(x);
}

int __builtin_clrsbll(long long x) { return 63 - horn_length(x < 0 ? -(x + 1) : x); }
int __builtin_clrsbl(long x) { return 8 * (int)sizeof(x) - 1 - horn_length(x < 0 ? -(x + 1) : x); }
int __builtin_clrsb(int x) { return 31 - horn_length(x < 0 ? -(x + 1) : x); }

int __builtin_ffsll(long long x) { return x == 0 ? 0 : __builtin_ctzll(x) + 1; }
int __builtin_ffsl(long x) { return x == 0 ? 0 : __builtin_ctzll(x) + 1; }

unsigned short __builtin_bswap16(unsigned short x) { return x % 256 * 256 + x / 256; }

unsigned __builtin_bswap32(unsigned x) {
  return x % 256 * 16777216 + x / 256 % 256 * 65536 + x / 65536 % 256 * 256 + x / 16777216;
}

unsigned long long __builtin_bswap64(unsigned long long x) {
  unsigned long long low = __builtin_bswap32(x % 4294967296ULL);
  unsigned long long high = __builtin_bswap32(x / 4294967296ULL);
  return low * 4294967296ULL + high;
}

/* Does a product of numbers of 64 bits need more of them? */
int horn_product_overflows_unsigned(unsigned long long a, unsigned long long b) {
  return b != 0 && a > ~0ULL / b;
}

int horn_product_overflows_signed(long long a, long long b) {
  long long most = ~0ULL >> 1;
  long long least = -most - 1;
  if (a == 0 || b == 0)
    return 0;
  if (a > 0)
    return b > 0 ? a > most / b : b < least / a;
  return b > 0 ? a < least / b : a < most / b;
}
