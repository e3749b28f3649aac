/* Models of the functions on memory, and of `qsort` and `bsearch`.
 *
 * `horn_element` is the type of the elements that the pointers of a call point to. A call gets the
 * models that fit it: by the type of its elements, numbers or structures. A part of an element is
 * not copied. */

/* The number of elements that some bytes are. */
static unsigned long horn_count(unsigned long bytes) {
  if (bytes % sizeof(horn_element) != 0)
    horn_unsupported("a part of an element of an array, of a structure or of a number as memory");
  return bytes / sizeof(horn_element);
}

void *memcpy(horn_element *to, const horn_element *from, unsigned long bytes) {
  horn_element *at = to;
  unsigned long count = horn_count(bytes);
  while (count > 0) {
    *at = *from;
    at++;
    from++;
    count--;
  }
  return to;
}

void *mempcpy(horn_element *to, const horn_element *from, unsigned long bytes) {
  unsigned long count = horn_count(bytes);
  while (count > 0) {
    *to = *from;
    to++;
    from++;
    count--;
  }
  return to;
}

void *memmove(horn_element *to, const horn_element *from, unsigned long bytes) {
  horn_element *at = to;
  unsigned long count = horn_count(bytes);
  if (to <= from) {
    while (count > 0) {
      *at = *from;
      at++;
      from++;
      count--;
    }
  } else {
    at = at + count;
    from = from + count;
    while (count > 0) {
      at--;
      from--;
      *at = *from;
      count--;
    }
  }
  return to;
}

void bcopy(const horn_element *from, horn_element *to, unsigned long bytes) {
  memmove(to, from, bytes);
}

/* Of numbers. */
void *memset_numbers(horn_element *to, int byte, unsigned long bytes) {
  horn_element *at = to;
  unsigned long count = horn_count(bytes);
  horn_element value = (horn_element)((unsigned char)byte * 0x0101010101010101ULL);
  while (count > 0) {
    *at = value;
    at++;
    count--;
  }
  return to;
}

/* Of structures and pointers. */
void *memset_others(horn_element *to, int byte, unsigned long bytes) {
  horn_element *at = to;
  unsigned long count = horn_count(bytes);
  if ((unsigned char)byte != 0)
    horn_unsupported("bytes other than 0 in structures or pointers by `memset`");
  while (count > 0) {
    horn_zero(*at);
    at++;
    count--;
  }
  return to;
}

void bzero_numbers(horn_element *to, unsigned long bytes) {
  unsigned long count = horn_count(bytes);
  while (count > 0) {
    *to = 0;
    to++;
    count--;
  }
}

void bzero_others(horn_element *to, unsigned long bytes) {
  unsigned long count = horn_count(bytes);
  while (count > 0) {
    horn_zero(*to);
    to++;
    count--;
  }
}

/* Numbers are compared byte by byte, the lowest first, as they are in memory. */
int memcmp_numbers(const horn_element *a, const horn_element *b, unsigned long bytes) {
  unsigned long count = horn_count(bytes);
  while (count > 0) {
    if (*a != *b) {
      unsigned long long x = (unsigned long long)*a;
      unsigned long long y = (unsigned long long)*b;
      while (x % 256 == y % 256) {
        x = x / 256;
        y = y / 256;
      }
      return horn_sign((int)(x % 256) - (int)(y % 256));
    }
    a++;
    b++;
    count--;
  }
  return 0;
}

int memcmp_bytes(const horn_element *a, const horn_element *b, unsigned long bytes) {
  unsigned long count = bytes;
  while (count > 0) {
    if (*a != *b)
      return horn_sign((int)*(const unsigned char *)a - (int)*(const unsigned char *)b);
    a++;
    b++;
    count--;
  }
  return 0;
}

void *memchr_bytes(const horn_element *s, int byte, unsigned long bytes) {
  while (bytes > 0) {
    if (*(const unsigned char *)s == (unsigned char)byte)
      return (void *)s;
    s++;
    bytes--;
  }
  return 0;
}

void *memrchr_bytes(const horn_element *s, int byte, unsigned long bytes) {
  s = s + bytes;
  while (bytes > 0) {
    s--;
    if (*(const unsigned char *)s == (unsigned char)byte)
      return (void *)s;
    bytes--;
  }
  return 0;
}

/* The memory keeps its contents as far as both sizes go; the rest is any. */
void *realloc(horn_element *from, unsigned long bytes) {
  horn_element *to = horn_allocate(bytes);
  horn_element *at = to;
  horn_element *old = from;
  if (from == 0)
    return to;
  unsigned long count = horn_size_of(from);
  if (bytes < count)
    count = bytes;
  count = count / sizeof(horn_element);
  while (count > 0) {
    *at = *from;
    at++;
    from++;
    count--;
  }
  horn_free(old);
  return to;
}

/* Sorted by insertion. Which of two elements that compare as equal comes first is open. */
static int horn_swaps(int order, int different) {
  int open = 0;
  if (order > 0)
    return 1;
  if (order == 0 && different)
    horn_any(open, "the order of elements that `qsort` finds equal");
  return open != 0;
}

void qsort_numbers(horn_element *base, unsigned long count, unsigned long size,
                   int (*compare)(const void *, const void *)) {
  if (size != sizeof(horn_element))
    horn_unsupported("`qsort` of elements of another size");
  for (unsigned long i = 1; i < count; i++)
    for (unsigned long j = i; j > 0; j--) {
      horn_element *b = base + j;
      horn_element *a = b - 1;
      if (!horn_swaps(compare(a, b), *a != *b))
        break;
      horn_element other = *a;
      *a = *b;
      *b = other;
    }
}

void qsort_others(horn_element *base, unsigned long count, unsigned long size,
                  int (*compare)(const void *, const void *)) {
  if (size != sizeof(horn_element))
    horn_unsupported("`qsort` of elements of another size");
  for (unsigned long i = 1; i < count; i++)
    for (unsigned long j = i; j > 0; j--) {
      horn_element *b = base + j;
      horn_element *a = b - 1;
      if (!horn_swaps(compare(a, b), 1))
        break;
      horn_element other = *a;
      *a = *b;
      *b = other;
    }
}

/* Which of several elements that fit is found, is open. */
void *bsearch(const void *key, const horn_element *base, unsigned long count, unsigned long size,
              int (*compare)(const void *, const void *)) {
  const horn_element *found = 0;
  if (size != sizeof(horn_element))
    horn_unsupported("`bsearch` in elements of another size");
  for (; count > 0; count--) {
    if (compare(key, base) == 0) {
      int open = 1;
      if (found)
        horn_any(open, "which of several elements `bsearch` finds");
      if (open)
        found = base;
    }
    base++;
  }
  return (void *)found;
}
