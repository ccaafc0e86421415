#include <string.h>

/* What it costs to send a parcel, in cents; -1 if it cannot be sent. */
int postage(double kilograms, int zone, const char *service)
{
    if (kilograms <= 0 || kilograms > 31.5)
        return -1;
    if (zone < 1 || zone > 5)
        return -1;
    int cents = 490 + 120 * zone;
    if (kilograms > 10)
        cents += 300;
    if (service && strcmp(service, "express") == 0)
        cents *= 2;
    else if (service && strcmp(service, "pickup") == 0)
        cents += 150;
    return cents;
}
