/* The relief valve of a tank: it opens when the sensor confirms overpressure, and on command when
 * there is any pressure to relieve. The last condition was left over from an older version. */
int open_valve(int pressure, int sensor_ok, int command) {
    if ((sensor_ok && pressure > 60) || (command && pressure > 20 && pressure > 5))
        return 1;
    return 0;
}
