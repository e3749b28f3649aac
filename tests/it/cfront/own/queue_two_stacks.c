/* A queue made of two stacks: what goes in first comes out first.
   wrong: while (in_size > 0) { ==> while (in_size > 1) { */
#include <assert.h>

#define MAX 6

static int in[MAX], out[MAX];
static int in_size, out_size;

static void enqueue(int value) {
  assert(in_size < MAX);
  in[in_size++] = value;
}

static int dequeue(void) {
  if (out_size == 0) {
    while (in_size > 0) {
      out[out_size++] = in[--in_size];
    }
  }
  assert(out_size > 0);
  return out[--out_size];
}

int main(void) {
  enqueue(10);
  enqueue(20);
  enqueue(30);
  assert(dequeue() == 10);
  enqueue(40);
  assert(dequeue() == 20);
  assert(dequeue() == 30);
  assert(dequeue() == 40);
  return 0;
}
