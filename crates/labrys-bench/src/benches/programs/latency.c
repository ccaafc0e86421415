/* A function of twenty lines: the fare for a ride by age, zone and hour. */
enum { CHILD = 12, SENIOR = 65, ZONES = 5 };

int fare(int age, int zone, int hour, int members) {
    if (age < 0 || age > 130 || zone < 1 || zone > ZONES)
        return -1;
    if (hour < 0 || hour > 23)
        return -2;
    int price = 120 + 80 * (zone - 1);
    if (hour < 6)
        price += 50;
    else if (hour >= 9 && hour < 16)
        price -= 20;
    if (age < 4)
        return 0;
    if (age <= CHILD)
        price /= 2;
    else if (age >= SENIOR && hour >= 9)
        price = price * 7 / 10;
    if (members >= 5 && price > 300)
        price -= price / 4;
    if (members > 8 && zone == ZONES)
        price += 10;
    return price;
}
