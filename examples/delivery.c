/* The price of a delivery in cents: by weight in grams, dearer for islands, free
   for members from 50 euros on. */
int delivery_price(int grams, int value, int member, int island) {
    if (grams <= 0 || grams > 31500)
        return -1;
    int price = grams <= 2000 ? 549 : 1049;
    if (member && value >= 5000)
        price = 0;
    if (island)
        price += 250;
    return price;
}
