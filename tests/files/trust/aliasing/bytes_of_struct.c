// The same for a structure.
// arguments: --function scrub --time 60s
struct key { long id; short kind; };
int scrub(struct key *key, unsigned char *bytes) {
    if (!key || !bytes)
        return -1;
    key->id = 5;
    bytes[0] = 9;
    if (key->id == 9) //@ true open, false covered
        return 1;
    return 0;
}
