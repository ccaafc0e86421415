// The lowest byte of a pointer is overwritten: whether it still leads to the same place depends on where
// that lies, and the engine has only one place for it. A native run shows the other way.
// arguments: --function low_byte --time 60s
int low_byte(void) {
    char room[1024] = {0};
    char *place = room + 512, *same = place;
    room[512] = 1;
    *(char *)&same = 0;
    if (*same == 1) //@ true unknown addresses as numbers, false open
        return 1;
    return 0;
}
