/* A binary search tree: insertion without recursion, and search.
   wrong: at = value < node->value ? &node->left : &node->right; ==> at = value > node->value ? &node->left : &node->right; */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

struct tree {
  int value;
  struct tree *left, *right;
};

static struct tree *make(int value) {
  struct tree *node = malloc(sizeof(struct tree));
  if (!node) {
    abort();
  }
  node->value = value;
  node->left = node->right = NULL;
  return node;
}

static void insert(struct tree **root, int value) {
  struct tree **at = root;
  while (*at) {
    struct tree *node = *at;
    if (value == node->value) {
      return;
    }
    at = value < node->value ? &node->left : &node->right;
  }
  *at = make(value);
}

static bool contains(const struct tree *node, int value) {
  while (node) {
    if (value == node->value) {
      return true;
    }
    node = value < node->value ? node->left : node->right;
  }
  return false;
}

int main(void) {
  struct tree *root = NULL;
  insert(&root, 5);
  insert(&root, 2);
  insert(&root, 8);
  insert(&root, 2);
  assert(contains(root, 5) && contains(root, 2) && contains(root, 8));
  assert(!contains(root, 3));
  return 0;
}
