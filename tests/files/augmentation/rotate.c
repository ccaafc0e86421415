// Rotates the bits of a byte to the left, by any number of places.
unsigned rotate(unsigned byte, int places) {
    byte &= 0xff;
    places %= 8;
    if (places < 0)
        places += 8;
    return (byte << places | byte >> (8 - places)) & 0xff;
}
