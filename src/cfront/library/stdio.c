/* Models of <errno.h>, of <stdio.h> and of what POSIX adds that has no effect on the memory of a program. What
 * comes from outside is an input. */

static int horn_errno;

int *__errno_location(void) { return &horn_errno; }

static void horn_error_number(int number) { horn_errno = number; }

/* A function that is not known in detail may change `errno`. */
void horn_any_error_number(void) {
  int number;
  horn_any(number, "`errno` after a call of the library");
  horn_errno = number;
}

/* Was a character pushed back into a stream? */
static int horn_pushed;
/* 1 after the end of standard input: it stays there. 2 where a stream ended, or was set back, and
 * it is not known which. */
static int horn_ended;
/* Is there a stream that gives what the program itself has written? */
static int horn_written;

void horn_writes(void) { horn_written = 1; }

int getchar(void) {
  int c;
  if (horn_ended == 1)
    return -1;
  if (horn_pushed || horn_ended)
    horn_any(c, "what is read after `ungetc`, or the end of a file");
  else
    horn_input(c);
  horn_assume(c >= -1 && c <= 255);
  if (c == -1)
    horn_ended = horn_ended ? 2 : 1;
  return c;
}

int fgetc(void *file) {
  int c;
  if (horn_pushed || horn_ended || horn_written)
    horn_any(c, "what is read after `ungetc`, the end of a file, or a write");
  else
    horn_input(c);
  horn_assume(c >= -1 && c <= 255);
  if (c == -1)
    horn_ended = 2;
  return c;
}

int getc(void *file) {
  int c;
  if (horn_pushed || horn_ended || horn_written)
    horn_any(c, "what is read after `ungetc`, the end of a file, or a write");
  else
    horn_input(c);
  horn_assume(c >= -1 && c <= 255);
  if (c == -1)
    horn_ended = 2;
  return c;
}

void clearerr(void *file) { horn_ended = horn_ended ? 2 : 0; }
void rewind(void *file) { horn_ended = 2; }

int ungetc(int c, void *file) {
  int result;
  horn_any(result, "the result of `ungetc`");
  horn_assume(result == -1 || result == (unsigned char)c);
  horn_pushed = 1;
  return result;
}

/* A line, or as much of it as there is room for. */
char *fgets(char *to, int size, void *file) {
  char *at = to;
  int more;
  if (horn_pushed || horn_ended || horn_written)
    horn_any(more, "what is read after `ungetc`, the end of a file, or a write");
  else
    horn_input(more);
  if (!more) {
    horn_ended = 2;
    return 0;
  }
  while (size > 1 && more) {
    char c;
    horn_input(c);
    *at = c;
    at++;
    size--;
    if (c == '\n')
      break;
    horn_input(more);
  }
  *at = 0;
  return to;
}

/* How many items `scanf` reads of `most`: -1 at the end of the input, or after a fault. */
static int horn_scan_count(int most) {
  int count;
  if (horn_pushed || horn_ended)
    horn_any(count, "what is read after `ungetc`, or the end of a file");
  else
    horn_input(count);
  horn_assume(count >= -1 && count <= most);
  if (count == -1)
    horn_ended = 2;
  return count;
}

/* The same of `fscanf`. */
static int horn_scan_file_count(int most) {
  int count;
  if (horn_pushed || horn_ended || horn_written)
    horn_any(count, "what is read after `ungetc`, the end of a file, or a write");
  else
    horn_input(count);
  horn_assume(count >= -1 && count <= most);
  if (count == -1)
    horn_ended = 2;
  return count;
}

/* A word of at most `width` characters that are in a set, or that are not. */
static void horn_scan_members(char *to, const char *set, int inside, unsigned width) {
  char c;
  horn_input(c);
  horn_assume(c != 0);
  while (c != 0 && width > 0) {
    horn_assume(horn_among(c, set) == inside);
    *to = c;
    to++;
    width--;
    horn_input(c);
  }
  *to = 0;
}

/* A character that `scanf` reads after white space of its format. */
static void horn_scan_visible(char *to) {
  char c;
  horn_input(c);
  horn_assume(c != ' ' && (c < '\t' || c > '\r'));
  *to = c;
}

/* A word without a width that `scanf` reads: `horn_scan_field` without the count. */
static void horn_scan_word(char *to) {
  char c;
  horn_input(c);
  horn_assume(c != 0);
  while (c != 0) {
    horn_assume(c != ' ' && (c < '\t' || c > '\r'));
    *to = c;
    to++;
    horn_input(c);
  }
  *to = 0;
}

/* A word of at most `width` characters, none of which is white space. No input has a zero in a
 * word. */
static void horn_scan_field(char *to, unsigned width) {
  char c;
  horn_input(c);
  horn_assume(c != 0);
  while (c != 0 && width > 0) {
    horn_assume(c != ' ' && (c < '\t' || c > '\r'));
    *to = c;
    to++;
    width--;
    horn_input(c);
  }
  *to = 0;
}

/* What is printed goes nowhere. Whether it succeeds is not known. */
int putchar(int c) {
  int fails;
  horn_any(fails, "the result of `putchar`");
  return fails ? -1 : (unsigned char)c;
}

int putc(int c, void *file) {
  int fails;
  horn_any(fails, "the result of `putc`");
  return fails ? -1 : (unsigned char)c;
}

int fputc(int c, void *file) {
  int fails;
  horn_any(fails, "the result of `fputc`");
  return fails ? -1 : (unsigned char)c;
}

int fflush(void *file) {
  int fails;
  horn_any(fails, "the result of `fflush`");
  return fails ? -1 : 0;
}

void perror(const char *s) {}

long time(long *at) {
  long now;
  horn_input(now);
  horn_assume(now >= 0);
  if (at)
    *at = now;
  return now;
}

unsigned sleep(unsigned seconds) {
  unsigned left;
  horn_input(left);
  horn_assume(left <= seconds);
  return left;
}

int usleep(unsigned microseconds) {
  int fails;
  horn_any(fails, "the result of `usleep`");
  return fails ? -1 : 0;
}
