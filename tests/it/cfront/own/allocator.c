/* An allocator of blocks of one size from a pool with a free list of indices.
   wrong: first_free = block; ==> first_free = NONE; */
#include <assert.h>
#include <stdbool.h>

#define BLOCKS 4
#define NONE (-1)

static int next_free[BLOCKS];
static bool used[BLOCKS];
static int first_free;

static void pool_init(void) {
  for (int i = 0; i < BLOCKS; i++) {
    next_free[i] = i + 1 < BLOCKS ? i + 1 : NONE;
    used[i] = false;
  }
  first_free = 0;
}

static int pool_take(void) {
  int block = first_free;
  if (block != NONE) {
    assert(!used[block]);
    used[block] = true;
    first_free = next_free[block];
  }
  return block;
}

static void pool_give(int block) {
  assert(used[block]);
  used[block] = false;
  next_free[block] = first_free;
  first_free = block;
}

int main(void) {
  int taken[BLOCKS];
  pool_init();
  for (int i = 0; i < BLOCKS; i++) {
    taken[i] = pool_take();
    assert(taken[i] != NONE);
  }
  assert(pool_take() == NONE);
  pool_give(taken[2]);
  pool_give(taken[0]);
  assert(pool_take() == taken[0]);
  assert(pool_take() == taken[2]);
  assert(pool_take() == NONE);
  return 0;
}
