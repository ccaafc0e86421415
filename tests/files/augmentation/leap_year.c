// Whether a year of the Gregorian calendar has a 29th of February.
int leap_year(int year) {
    if (year % 400 == 0)
        return 1;
    if (year % 100 == 0)
        return 0;
    return year % 4 == 0;
}
