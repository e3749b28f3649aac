/* Models of the compiler's functions on bits, and of its checks for overflow. */

int __builtin_popcount(unsigned int x) {
  int count = 0;
  while (x != 0) {
    count += x % 2;
    x = x / 2;
  }
  return count;
}

int __builtin_parity(unsigned int x) {
  int odd = 0;
  while (x != 0) {
    odd = odd != x % 2;
    x = x / 2;
  }
  return odd;
}

/* Of 0 the result has no meaning. */
int __builtin_ctz(unsigned int x) {
  int count = 0;
  horn_assume(x != 0);
  while (x % 2 == 0) {
    x = x / 2;
    count++;
  }
  return count;
}

int __builtin_clz(unsigned int x) {
  int count = 8 * (int)sizeof(x) - 1;
  horn_assume(x != 0);
  while (x > 1) {
    x = x / 2;
    count--;
  }
  return count;
}

int __builtin_popcountl(unsigned long x) {
  int count = 0;
  while (x != 0) {
    count += x % 2;
    x = x / 2;
  }
  return count;
}

int __builtin_parityl(unsigned long x) {
  int odd = 0;
  while (x != 0) {
    odd = odd != x % 2;
    x = x / 2;
  }
  return odd;
}

/* Of 0 the result has no meaning. */
int __builtin_ctzl(unsigned long x) {
  int count = 0;
  horn_assume(x != 0);
  while (x % 2 == 0) {
    x = x / 2;
    count++;
  }
  return count;
}

int __builtin_clzl(unsigned long x) {
  int count = 8 * (int)sizeof(x) - 1;
  horn_assume(x != 0);
  while (x > 1) {
    x = x / 2;
    count--;
  }
  return count;
}

int __builtin_popcountll(unsigned long long x) {
  int count = 0;
  while (x != 0) {
    count += x % 2;
    x = x / 2;
  }
  return count;
}

int __builtin_parityll(unsigned long long x) {
  int odd = 0;
  while (x != 0) {
    odd = odd != x % 2;
    x = x / 2;
  }
  return odd;
}

/* Of 0 the result has no meaning. */
int __builtin_ctzll(unsigned long long x) {
  int count = 0;
  horn_assume(x != 0);
  while (x % 2 == 0) {
    x = x / 2;
    count++;
  }
  return count;
}

int __builtin_clzll(unsigned long long x) {
  int count = 8 * (int)sizeof(x) - 1;
  horn_assume(x != 0);
  while (x > 1) {
    x = x / 2;
    count--;
  }
  return count;
}

int __builtin_ffs(int x) {
  int at = 1;
  unsigned bits = x;
  if (bits == 0)
    return 0;
  while (bits % 2 == 0) {
    bits = bits / 2;
    at++;
  }
  return at;
}

int __builtin_clrsb(int x) {
  int count = 8 * (int)sizeof(x) - 1;
  unsigned bits = x < 0 ? -(x + 1) : x;
  while (bits != 0) {
    bits = bits / 2;
    count--;
  }
  return count;
}

int __builtin_ffsl(long x) {
  int at = 1;
  unsigned long bits = x;
  if (bits == 0)
    return 0;
  while (bits % 2 == 0) {
    bits = bits / 2;
    at++;
  }
  return at;
}

int __builtin_clrsbl(long x) {
  int count = 8 * (int)sizeof(x) - 1;
  unsigned long bits = x < 0 ? -(x + 1) : x;
  while (bits != 0) {
    bits = bits / 2;
    count--;
  }
  return count;
}

int __builtin_ffsll(long long x) {
  int at = 1;
  unsigned long long bits = x;
  if (bits == 0)
    return 0;
  while (bits % 2 == 0) {
    bits = bits / 2;
    at++;
  }
  return at;
}

int __builtin_clrsbll(long long x) {
  int count = 8 * (int)sizeof(x) - 1;
  unsigned long long bits = x < 0 ? -(x + 1) : x;
  while (bits != 0) {
    bits = bits / 2;
    count--;
  }
  return count;
}

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
