// The number of a day within its year, counted from 1; 0 for a date that does not exist.
int day_of_year(int month, int day, int leap) {
    static const int before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    static const int length[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12 || day < 1)
        return 0;
    if (day > length[month - 1] + (month == 2 && leap))
        return 0;
    return before[month - 1] + day + (month > 2 && leap);
}
