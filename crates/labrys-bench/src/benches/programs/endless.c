/* More paths than any run can take; each is a test for the criterion path. */
int endless(const unsigned char *bytes, unsigned n) {
  unsigned count = 0;
  for (unsigned i = 0; i < n && i < 4; i++) {
    if (bytes[i] % 7 == 3) count++;
    if (bytes[i] > 200) count += 2;
    if ((bytes[i] & 5) == 5) count ^= 3;
  }
  if (count == 9) return 1;
  return (int)count;
}
