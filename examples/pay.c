// Pay for a week at 20 an hour; hours above 40 count one and a half times. 0 for hours that nobody
// works.
int pay(int hours) {
    if (hours < 1 || hours > 80)
        return 0;
    int sum = hours * 20;
    if (hours > 40)
        sum += (hours - 40) * 10;
    return sum;
}
