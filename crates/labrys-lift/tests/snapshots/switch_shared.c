/* Several cases lead to one block; a value is joined behind. */
int kind(int c) {
  int result;
  switch (c) {
  case -1:
  case 5:
  case 3:
    result = 1;
    break;
  case 7:
    result = 2;
    break;
  default:
    result = 0;
  }
  return result;
}
