// The program knows more of a structure than its type says: what the harness puts there proves
// nothing.
// arguments: --function depth
// expect: branches 6 infeasible 0
struct state;

struct stream {
    struct state *state;
    int level;
};

struct real_state {
    const struct stream *owner;
    int depth;
};

int depth(const struct stream *s) {
    const struct real_state *state;
    if (!s)
        return -2;
    state = (const struct real_state *)s->state;
    if (!state || state->owner != s)
        return -1;
    return state->depth;
}
