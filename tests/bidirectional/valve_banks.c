/* valve_banks.c: the controller of a water works with several banks of valves.
 *
 * What it models: a controller that does not much more than count, so that its interesting branches are
 * behind many turns of loops. It asks the sensor of every valve in every cycle; a valve is out of order
 * after it has failed several times in a row, a bank is bad if more valves are out of order than its
 * tolerance allows, and the works raise an alarm if several banks are bad at the same time. Between the
 * cycles it waits, feeds a watch dog, and looks after pressures. The number of valves of a bank, the
 * tolerances and the number of cycles are settings, read once at the start and checked then; all accesses
 * to valves go through functions that check their index against these settings, in the manner of code
 * that has to be safe. These checks cannot fail, although the loops have no constant bound.
 *
 * Settings, sensors, pressures and orders of the operator are inputs. */

extern int labrys_int(const char *name);
extern void reach_error(void);

#define MOST_BANKS 3
#define MOST_VALVES 12
#define MOST_CYCLES 40
#define MOST_WAIT 25

#define SENSOR_KO (-1)
#define PRESSURE_LOW 20
#define PRESSURE_HIGH 180
#define PRESSURE_BURST 240

/* ---- Settings: written by configure, then only read. ---- */

static int bank_count;
static int size[MOST_BANKS];         /* valves of a bank */
static int tolerance[MOST_BANKS];    /* valves that may be out of order */
static int patience;                 /* failures in a row until a valve is out of order */
static int cycles;
static int alarm_banks;              /* banks that have to be bad for an alarm */

/* ---- The state. ---- */

enum mode { MODE_START, MODE_NORMAL, MODE_REDUCED, MODE_EMERGENCY, MODE_SERVICE, MODE_HALT };
enum dog { DOG_ASLEEP, DOG_AWAKE, DOG_BARKING, DOG_BITING };

struct valve {
    int failures;     /* in a row */
    int broken;
    int opening;      /* in percent */
    int moves;
};

struct bank {
    struct valve valve[MOST_VALVES];
    int broken;       /* how many valves are out of order */
    int bad;
    int pressure;
    int low_count;
    int high_count;
    int bursts;
};

static struct bank banks[MOST_BANKS];
static enum mode mode;
static enum dog dog;
static int dog_food;
static int missed_meals;
static int bad_banks;
static int alarms;
static int silent_cycles;
static int cycle;
static int repairs;
static int emergency_cycles;
static int log_entries;

static void impossible(void) { reach_error(); }

/* ---- Safe access. ---- */

static struct bank *bank_at(int b)
{
    if (b < 0 || b >= bank_count) {
        impossible();
        b = 0;
    }
    return &banks[b];
}

static struct valve *valve_at(int b, int i)
{
    struct bank *bank = bank_at(b);

    if (i < 0 || i >= size[b]) {
        impossible();
        i = 0;
    }
    return &bank->valve[i];
}

/* ---- Waiting: other tasks of the machine. ---- */

static int wait_for(int ticks)
{
    int waited = 0;

    if (ticks > MOST_WAIT)
        ticks = MOST_WAIT;
    while (ticks > 0) {
        ticks--;
        waited++;
    }
    if (ticks < 0 && waited > 0)
        impossible();
    if (waited > MOST_WAIT)
        impossible();
    return waited;
}

/* ---- The watch dog. ---- */

/* The dog wants food in every cycle; it barks after two missed meals and bites after five. */
static void dog_tick(int fed)
{
    switch (dog) {
    case DOG_ASLEEP:
        if (mode == MODE_NORMAL)
            dog = DOG_AWAKE;
        break;
    case DOG_AWAKE:
        if (fed) {
            dog_food++;
            missed_meals = 0;
        } else {
            missed_meals++;
            if (missed_meals >= 2)
                dog = DOG_BARKING;
        }
        if (missed_meals > 2)
            impossible();
        break;
    case DOG_BARKING:
        if (fed) {
            dog_food++;
            if (dog_food >= 4) {
                dog = DOG_AWAKE;
                missed_meals = 0;
                dog_food = 0;
            }
        } else {
            missed_meals++;
            if (missed_meals >= 5)
                dog = DOG_BITING;
        }
        break;
    case DOG_BITING:
        impossible();
        break;
    default:
        impossible();
        break;
    }
}

/* ---- Sensors. ---- */

static int read_sensor(int b, int i)
{
    int status = labrys_int("sensor");
    struct valve *valve = valve_at(b, i);

    if (valve->broken)
        return SENSOR_KO;
    return status;
}

static void check_valve(int b, int i)
{
    struct valve *valve = valve_at(b, i);
    int was = valve->failures;
    int status = read_sensor(b, i);

    if (status == SENSOR_KO) {
        if (valve->failures < patience)
            valve->failures++;
        if (valve->failures > patience)
            impossible();
        if (valve->failures == patience && !valve->broken) {
            if (was == patience)
                impossible();
            valve->broken = 1;
            bank_at(b)->broken++;
        }
    } else {
        if (valve->broken)
            impossible();
        valve->failures = 0;
    }
    if (bank_at(b)->broken > size[b])
        impossible();
}

static void check_bank(int b)
{
    struct bank *bank = bank_at(b);
    int i = 0;
    int count = 0;

    while (i < size[b]) {
        check_valve(b, i);
        if (valve_at(b, i)->broken)
            count++;
        i++;
    }
    if (count != bank->broken)
        impossible();
    if (count > tolerance[b]) {
        if (!bank->bad) {
            bank->bad = 1;
            bad_banks++;
            log_entries++;
        }
    } else if (bank->bad) {
        bank->bad = 0;
        bad_banks--;
    }
    if (bad_banks < 0 || bad_banks > bank_count)
        impossible();
}

/* ---- Pressures. ---- */

static int limited(int value, int low, int high)
{
    if (low > high)
        impossible();
    if (value < low)
        return low;
    if (value > high)
        return high;
    return value;
}

static void move_valves(int b, int step)
{
    int i;

    for (i = 0; i < size[b]; i++) {
        struct valve *valve = valve_at(b, i);

        if (valve->broken)
            continue;
        valve->opening = limited(valve->opening + step, 0, 100);
        valve->moves++;
        if (valve->opening < 0 || valve->opening > 100)
            impossible();
    }
}

static void check_pressure(int b)
{
    struct bank *bank = bank_at(b);

    bank->pressure = limited(labrys_int("pressure"), 0, 300);
    if (bank->pressure < 0)
        impossible();
    if (bank->pressure < PRESSURE_LOW) {
        bank->low_count++;
        bank->high_count = 0;
        if (bank->low_count >= 3) {
            move_valves(b, -10);
            bank->low_count = 0;
        }
    } else if (bank->pressure > PRESSURE_HIGH) {
        bank->high_count++;
        bank->low_count = 0;
        if (bank->pressure > PRESSURE_BURST) {
            bank->bursts++;
            if (bank->bursts >= 4 && bank->bad)
                mode = MODE_EMERGENCY;
        }
        if (bank->high_count >= 2) {
            move_valves(b, 15);
            bank->high_count = 0;
        }
    } else {
        bank->low_count = 0;
        bank->high_count = 0;
        if (bank->pressure > 250)
            impossible();
    }
    if (bank->low_count > 0 && bank->high_count > 0)
        impossible();
    if (bank->low_count > 2 || bank->high_count > 1)
        impossible();
}

/* ---- The balance of a bank: what flows in and out. ---- */

#define LEAK 15
#define LEAK_CYCLES 4

static int leak_cycles[MOST_BANKS];
static int leaks;
static int drained;

/* A leak is reported after LEAK_CYCLES cycles in a row; readings that cannot be are left out. */
static void check_balance(int b)
{
    int in = labrys_int("flow in");
    int out = labrys_int("flow out");
    int lost;

    if (in < 0 || in > 500 || out < 0 || out > 500)
        return;
    lost = in - out;
    if (lost < -500 || lost > 500)
        impossible();
    if (lost > LEAK) {
        leak_cycles[b]++;
        if (leak_cycles[b] == LEAK_CYCLES) {
            leaks++;
            leak_cycles[b] = 0;
        }
    } else {
        leak_cycles[b] = 0;
        if (lost < 0 && bank_at(b)->pressure == 0)
            drained++;
    }
    if (leak_cycles[b] >= LEAK_CYCLES)
        impossible();
    if (lost > LEAK && lost <= 0)
        impossible();
}

/* ---- Repairs: the operator may repair one valve in service. ---- */

static int repair(int b, int i)
{
    struct valve *valve;

    if (b < 0 || b >= bank_count)
        return 0;
    if (i < 0 || i >= size[b])
        return 0;
    valve = valve_at(b, i);
    if (!valve->broken)
        return 0;
    valve->broken = 0;
    valve->failures = 0;
    bank_at(b)->broken--;
    if (bank_at(b)->broken < 0)
        impossible();
    repairs++;
    return 1;
}

/* ---- The mode of the works. ---- */

static void choose_mode(void)
{
    int b;
    int i;

    switch (mode) {
    case MODE_START:
        if (cycle >= 2)
            mode = MODE_NORMAL;
        break;
    case MODE_NORMAL:
        if (bad_banks >= alarm_banks) {
            alarms++;
            mode = MODE_EMERGENCY;
        } else if (bad_banks > 0) {
            mode = MODE_REDUCED;
        }
        break;
    case MODE_REDUCED:
        if (bad_banks == 0) {
            mode = MODE_NORMAL;
        } else if (bad_banks >= alarm_banks) {
            alarms++;
            mode = MODE_EMERGENCY;
        } else {
            silent_cycles++;
            if (silent_cycles >= 6)
                mode = MODE_SERVICE;
        }
        if (bad_banks == 0 && mode == MODE_SERVICE)
            impossible();
        break;
    case MODE_EMERGENCY:
        emergency_cycles++;
        if (bad_banks == 0)
            mode = MODE_SERVICE;
        else if (emergency_cycles >= 3)
            mode = MODE_HALT;
        break;
    case MODE_SERVICE:
        b = labrys_int("repair bank");
        i = labrys_int("repair valve");
        if (repair(b, i)) {
            if (repairs >= 2 && bad_banks == 0)
                mode = MODE_NORMAL;
        } else if (labrys_int("end of service") == 1) {
            mode = MODE_REDUCED;
            silent_cycles = 0;
        }
        break;
    case MODE_HALT:
        impossible();
        break;
    default:
        impossible();
        break;
    }
}

static void check_cycle(void)
{
    int b;
    int bad = 0;

    for (b = 0; b < bank_count; b++) {
        if (bank_at(b)->bad)
            bad++;
        if (tolerance[b] >= size[b])
            impossible();
    }
    if (bad != bad_banks)
        impossible();
    if (dog == DOG_BARKING && missed_meals < 2)
        impossible();
    if (cycle < 0 || cycle >= cycles)
        impossible();
    if (alarms > 0 && alarm_banks > bank_count)
        impossible();
}

/* ---- Settings. ---- */

static int setting(const char *name, int low, int high, int *value)
{
    int given = labrys_int(name);

    if (given < low || given > high)
        return 0;
    *value = given;
    return 1;
}

static int configure(void)
{
    int b;

    if (!setting("banks", 1, MOST_BANKS, &bank_count))
        return 0;
    for (b = 0; b < bank_count; b++) {
        if (!setting("size", 2, MOST_VALVES, &size[b]))
            return 0;
        if (!setting("tolerance", 0, MOST_VALVES, &tolerance[b]))
            return 0;
        if (tolerance[b] >= size[b])
            return 0;
        if (size[b] > MOST_VALVES)
            impossible();
    }
    if (!setting("patience", 1, 4, &patience))
        return 0;
    if (!setting("cycles", 1, MOST_CYCLES, &cycles))
        return 0;
    if (!setting("alarm banks", 1, bank_count, &alarm_banks))
        return 0;
    if (alarm_banks < 1 || alarm_banks > MOST_BANKS)
        impossible();
    return 1;
}

int main(void)
{
    int b;
    int waited = 0;

    if (!configure())
        return 1;
    waited += wait_for(labrys_int("wait before"));
    for (cycle = 0; cycle < cycles; cycle++) {
        for (b = 0; b < bank_count; b++) {
            check_bank(b);
            check_pressure(b);
            check_balance(b);
        }
        choose_mode();
        if (mode == MODE_HALT)
            break;
        dog_tick(labrys_int("food") > 0);
        if (dog == DOG_BITING) {
            mode = MODE_HALT;
            break;
        }
        check_cycle();
    }
    if (cycle > cycles)
        impossible();
    if (alarms > 0 && mode == MODE_START)
        impossible();
    if (repairs >= 3 && mode == MODE_NORMAL)
        log_entries += 2;
    if (dog == DOG_BITING && mode != MODE_HALT)
        impossible();
    if (leaks >= 2 && drained >= 3)
        log_entries++;
    waited += wait_for(labrys_int("wait after"));
    if (waited > 2 * MOST_WAIT)
        impossible();
    return mode == MODE_HALT ? 2 : 0;
}
