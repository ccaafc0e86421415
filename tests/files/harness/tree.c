// A search tree with two levels and one value that must be found on the right.
// arguments: --function depth_of --assume "key == 77" --criterion branch,path --paths 40
// expect: branches 6 feasible 6
// expect: return -1
// expect: return 1
// expect: return 2
struct tree {
    int key;
    struct tree *left, *right;
};

int depth_of(const struct tree *tree, int key) {
    int depth = 0;
    while (tree) {
        depth++;
        if (tree->key == key)
            return depth;
        tree = key < tree->key ? tree->left : tree->right;
    }
    return -1;
}
