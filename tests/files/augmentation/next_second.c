// The second after a time of day given in seconds, or -1 for no time of day.
int next_second(int hours, int minutes, int seconds) {
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59)
        return -1;
    if (++seconds == 60) {
        seconds = 0;
        if (++minutes == 60) {
            minutes = 0;
            hours = (hours + 1) % 24;
        }
    }
    return hours * 3600 + minutes * 60 + seconds;
}
