// The price of a ticket in cents, by age and day; -1 for no age.
int ticket_price(int age, int weekend, int member) {
    int price = 1200;
    if (age < 0 || age > 130)
        return -1;
    if (age < 6)
        return 0;
    if (age < 16 || age >= 65)
        price = 800;
    if (weekend && !(member && age >= 16))
        price += 200;
    if (member)
        price -= price / 10;
    return price;
}
