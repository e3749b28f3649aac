/* What a program needs of the C library on x86, for machines whose compiler has no library for
 * programs of 32 bits: the start and the end, memory, and arithmetic with 64 bits. The models of
 * strings and numbers follow this text. What is missing here fails when the program is linked. */

typedef unsigned int size;
typedef unsigned long long wide;

static void horn_leave(int status) {
  __asm__ volatile("int $0x80" : : "a"(252), "b"(status));
  __builtin_unreachable();
}

void _Exit(int status) { horn_leave(status); }
void _exit(int status) { horn_leave(status); }
void exit(int status) { horn_leave(status); }
void abort(void) { horn_leave(134); }

extern int main(int, char **, char **);
extern void (*__init_array_start[])(void) __attribute__((weak, visibility("hidden")));
extern void (*__init_array_end[])(void) __attribute__((weak, visibility("hidden")));

__attribute__((used)) static void horn_start(int *stack) {
  int count = stack[0];
  char **arguments = (char **)(stack + 1);
  for (void (**at)(void) = __init_array_start; at < __init_array_end; at++) (*at)();
  horn_leave(main(count, arguments, arguments + count + 1));
}

__asm__(".globl _start\n_start:\n  xorl %ebp, %ebp\n  movl %esp, %eax\n  andl $-16, %esp\n"
        "  subl $12, %esp\n  pushl %eax\n  call horn_start\n  hlt\n");

void *memcpy(void *to, const void *from, size bytes) {
  char *target = to;
  const char *source = from;
  while (bytes-- > 0) *target++ = *source++;
  return to;
}

void *memmove(void *to, const void *from, size bytes) {
  char *target = to;
  const char *source = from;
  if (target <= source) return memcpy(to, from, bytes);
  while (bytes-- > 0) target[bytes] = source[bytes];
  return to;
}

void *memset(void *to, int byte, size bytes) {
  char *target = to;
  while (bytes-- > 0) *target++ = (char)byte;
  return to;
}

int memcmp(const void *a, const void *b, size bytes) {
  const unsigned char *x = a, *y = b;
  for (; bytes > 0; bytes--, x++, y++)
    if (*x != *y) return *x - *y;
  return 0;
}

void *memchr(const void *memory, int byte, size bytes) {
  const unsigned char *at = memory;
  for (; bytes > 0; bytes--, at++)
    if (*at == (unsigned char)byte) return (void *)at;
  return 0;
}

/* Memory is given out once: its size stands before it. */
static char horn_memory[1 << 28] __attribute__((aligned(16)));
static size horn_given;

void *malloc(size bytes) {
  if (bytes > sizeof(horn_memory) - 32 || horn_given > sizeof(horn_memory) - 32 - bytes) return 0;
  char *memory = horn_memory + horn_given;
  *(size *)memory = bytes;
  horn_given += 16 + (bytes + 15) / 16 * 16;
  return memory + 16;
}

size malloc_usable_size(void *memory) { return memory ? *(size *)((char *)memory - 16) : 0; }
void free(void *memory) {}

void *calloc(size count, size bytes) {
  size all;
  /* Fresh memory is zero. */
  return __builtin_mul_overflow(count, bytes, &all) ? 0 : malloc(all);
}

void *realloc(void *old, size bytes) {
  char *memory = malloc(bytes);
  size kept = malloc_usable_size(old);
  if (memory && old) memcpy(memory, old, kept < bytes ? kept : bytes);
  return memory;
}

/* Printing has no effect here, and says that it has none. */
int printf(const char *format, ...) { return -1; }
int puts(const char *text) { return 0; }
int putchar(int c) { return (unsigned char)c; }

/* Division of 64 bits, which the compiler calls. */
static wide horn_divide(wide a, wide b, wide *rest) {
  wide quotient = 0, left = 0;
  for (int bit = 63; bit >= 0; bit--) {
    int carry = left >> 63;
    left = left << 1 | (a >> bit & 1);
    if (carry || left >= b) {
      left -= b;
      quotient |= 1ULL << bit;
    }
  }
  *rest = left;
  return quotient;
}

wide __udivmoddi4(wide a, wide b, wide *rest) {
  wide other;
  return horn_divide(a, b, rest ? rest : &other);
}

wide __udivdi3(wide a, wide b) {
  wide rest;
  return horn_divide(a, b, &rest);
}

wide __umoddi3(wide a, wide b) {
  wide rest;
  horn_divide(a, b, &rest);
  return rest;
}

long long __divmoddi4(long long a, long long b, long long *rest) {
  wide left;
  wide quotient = horn_divide(a < 0 ? -(wide)a : (wide)a, b < 0 ? -(wide)b : (wide)b, &left);
  *rest = a < 0 ? -left : left;
  return (a < 0) != (b < 0) ? -quotient : quotient;
}

long long __divdi3(long long a, long long b) {
  long long rest;
  return __divmoddi4(a, b, &rest);
}

long long __moddi3(long long a, long long b) {
  long long rest;
  __divmoddi4(a, b, &rest);
  return rest;
}
