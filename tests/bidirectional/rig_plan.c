/* rig_plan.c: an interpreter of a language for the lighting plans of a stage.
 *
 * What it models: interpreters of configuration languages that look for their keywords one after the other,
 * in the order in which they may appear. take_keyword reads a word of letters from the tape, compares it as
 * a whole with the keyword that is wanted, and gives the letters back if it is another one. So a part of
 * the interpreter is only reached with a tape on which all keywords before it are spelt out, and whose
 * numbers are in range. The language has about a hundred keywords:
 *
 *     PLAN 7 ; UNITS METRE ; VENUE INDOOR ;
 *     RIG BARS 2 ; BAR 1 HEIGHT 5 LENGTH 8 LOAD 50 ; BAR 2 HEIGHT 4 LENGTH 6 ; END
 *     LAMPS LAMP 1 SPOT ON 1 POWER 575 ANGLE 20 ; END
 *     PATCH UNIVERSE 1 ; LAMP 1 AT 12 ; END
 *     CUES CUE 1 LEVEL 1 80 FADE IN 3 ; END
 *     END
 *
 * The tape is an input of TAPE bytes; a byte 0 ends it. The result is the number of an error, or 0. */
#include <stddef.h>
#include <string.h>

extern void labrys_symbolic(void *ptr, size_t size, const char *name);
extern void reach_error(void);

#define TAPE 320
#define WORD 10      /* letters of the longest keyword that is read */
#define MOST_BARS 4
#define MOST_LAMPS 6
#define MOST_GROUPS 3
#define MOST_CUES 4
#define NUMBER_LIMIT 99999

/* ---- Errors. ---- */

enum error {
    FINE,
    E_NO_PLAN,
    E_NUMBER,
    E_SEMICOLON,
    E_UNITS,
    E_VENUE,
    E_RIG,
    E_BAR,
    E_RANGE,
    E_LAMP,
    E_KIND,
    E_COLOUR,
    E_PATCH,
    E_CHANNEL,
    E_GROUP,
    E_CUE,
    E_FADE,
    E_LIMIT,
    E_SAFETY,
    E_END,
    E_TAPE,
    E_POWER,
    E_REST
};

static enum error failure;

static int fail(enum error e)
{
    if (failure == FINE)
        failure = e;
    return 0;
}

/* ---- The plan. ---- */

enum units { NO_UNITS, METRE, FOOT };
enum venue { NO_VENUE, INDOOR, OUTDOOR, TOURING };
enum kind { NO_KIND, SPOT, FLOOD, WASH, LASER, STROBE, HAZE, PROFILE, BEAM };
enum colour { NO_COLOUR, RED, GREEN, BLUE, AMBER, WHITE, ULTRA };
enum curve { NO_CURVE, LINEAR, SQUARE, SMOOTH };
enum phase { NO_PHASE, ONE, TWO, THREE };

struct bar {
    int used;
    int height;
    int length;
    int load;
    int limit;
    int motor;
};

struct lamp {
    enum kind kind;
    int bar;
    int power;
    int angle;
    int zoom;
    enum colour colour;
    int gobo;
    int shutter;
    enum curve curve;
    int channel;
    int mode;
    int group;
};

struct cue {
    int used;
    int time;
    int fade;
    int follow;
    int jump;
    int loops;
    int levels;
};

static struct plan {
    int number;
    enum units units;
    enum venue venue;
    int bars;
    struct bar bar[MOST_BARS];
    int lamps;
    struct lamp lamp[MOST_LAMPS];
    int groups;
    int group_size[MOST_GROUPS];
    int universe;
    int merge;
    int cues;
    struct cue cue[MOST_CUES];
    int most_power;
    int most_cues;
    enum phase phase;
    int fire;
    int stop;
    int exits;
    int zone_from;
    int zone_to;
    int total_power;
} plan;

/* ---- The tape. ---- */

static char tape[TAPE];
static int at;

static char tape_get(void)
{
    char c;

    if (at < 0)
        return 0;
    if (at >= TAPE)
        return 0;
    c = tape[at];
    if (c != 0)
        at++;
    return c;
}

static void skip_blanks(void)
{
    while (at < TAPE && (tape[at] == ' ' || tape[at] == '\n'))
        at++;
}

static int is_letter(char c) { return c >= 'A' && c <= 'Z'; }

/* Reads a word and compares it with the keyword; 1 if it is the same. Otherwise nothing is read. */
static int take_keyword(const char *keyword)
{
    char word[WORD + 1];
    int start = at;
    int i = 0;
    char c;

    skip_blanks();
    c = tape_get();
    while (is_letter(c) && i < WORD) {
        word[i] = c;
        i = i + 1;
        c = tape_get();
    }
    if (i > WORD) {
        reach_error();
        i = WORD;
    }
    word[i] = '\0';
    if (c != 0)
        at--;
    if (strcmp(keyword, word) == 0)
        return 1;
    at = start;
    return 0;
}

/* Reads a number without a sign. */
static int take_number(int *value)
{
    int n = 0;
    int digits = 0;

    skip_blanks();
    while (at < TAPE && tape[at] >= '0' && tape[at] <= '9') {
        n = n * 10 + (tape[at] - '0');
        digits++;
        at++;
        if (digits > 5)
            return fail(E_NUMBER);
    }
    if (digits == 0)
        return fail(E_NUMBER);
    if (n < 0 || n > NUMBER_LIMIT)
        return fail(E_NUMBER);
    *value = n;
    return 1;
}

static int take_range(int *value, int low, int high)
{
    if (!take_number(value))
        return 0;
    if (*value < low || *value > high)
        return fail(E_RANGE);
    return 1;
}

static int take_semicolon(void)
{
    skip_blanks();
    if (tape_get() != ';')
        return fail(E_SEMICOLON);
    return 1;
}

/* ---- The header. ---- */

static int read_header(void)
{
    if (!take_keyword("PLAN"))
        return fail(E_NO_PLAN);
    if (!take_range(&plan.number, 1, 999))
        return 0;
    if (!take_semicolon())
        return 0;
    if (take_keyword("UNITS")) {
        if (take_keyword("METRE"))
            plan.units = METRE;
        else if (take_keyword("FOOT"))
            plan.units = FOOT;
        else
            return fail(E_UNITS);
        if (!take_semicolon())
            return 0;
    } else {
        plan.units = METRE;
    }
    if (plan.units == NO_UNITS)
        return fail(E_UNITS);
    if (take_keyword("VENUE")) {
        if (take_keyword("INDOOR"))
            plan.venue = INDOOR;
        else if (take_keyword("OUTDOOR"))
            plan.venue = OUTDOOR;
        else if (take_keyword("TOURING"))
            plan.venue = TOURING;
        else
            return fail(E_VENUE);
        if (!take_semicolon())
            return 0;
    }
    return 1;
}

/* ---- The rig: bars on which lamps hang. ---- */

static int read_bar(void)
{
    int number;
    struct bar *bar;

    if (!take_range(&number, 1, plan.bars))
        return 0;
    if (number < 1 || number > MOST_BARS) {
        reach_error();
        return fail(E_BAR);
    }
    bar = &plan.bar[number - 1];
    if (bar->used)
        return fail(E_BAR);
    bar->used = 1;
    bar->limit = 100;
    if (!take_keyword("HEIGHT"))
        return fail(E_BAR);
    if (!take_range(&bar->height, 1, plan.units == FOOT ? 60 : 18))
        return 0;
    if (plan.units == METRE && bar->height > 20)
        return fail(E_RANGE);
    if (!take_keyword("LENGTH"))
        return fail(E_BAR);
    if (!take_range(&bar->length, 1, 40))
        return 0;
    if (take_keyword("LOAD")) {
        if (!take_range(&bar->limit, 10, 900))
            return 0;
    }
    if (take_keyword("MOTOR")) {
        if (plan.venue == OUTDOOR)
            return fail(E_BAR);
        bar->motor = 1;
        if (take_keyword("FAST"))
            bar->motor = 2;
        else if (take_keyword("SLOW"))
            bar->motor = 3;
    } else if (take_keyword("FIXED")) {
        bar->motor = 0;
    }
    if (bar->motor > 3)
        reach_error();
    return take_semicolon();
}

static int read_rig(void)
{
    int found = 0;

    if (!take_keyword("RIG"))
        return fail(E_RIG);
    if (!take_keyword("BARS"))
        return fail(E_RIG);
    if (!take_range(&plan.bars, 1, MOST_BARS))
        return 0;
    if (!take_semicolon())
        return 0;
    while (take_keyword("BAR")) {
        if (!read_bar())
            return 0;
        found++;
        if (found > plan.bars) {
            reach_error();
            return fail(E_RIG);
        }
    }
    if (found != plan.bars)
        return fail(E_RIG);
    if (!take_keyword("END"))
        return fail(E_END);
    return 1;
}

/* ---- Lamps. ---- */

static enum kind read_kind(void)
{
    if (take_keyword("SPOT"))
        return SPOT;
    if (take_keyword("FLOOD"))
        return FLOOD;
    if (take_keyword("WASH"))
        return WASH;
    if (take_keyword("LASER"))
        return LASER;
    if (take_keyword("STROBE"))
        return STROBE;
    if (take_keyword("HAZE"))
        return HAZE;
    if (take_keyword("PROFILE"))
        return PROFILE;
    if (take_keyword("BEAM"))
        return BEAM;
    return NO_KIND;
}

static enum colour read_colour(void)
{
    if (take_keyword("RED"))
        return RED;
    if (take_keyword("GREEN"))
        return GREEN;
    if (take_keyword("BLUE"))
        return BLUE;
    if (take_keyword("AMBER"))
        return AMBER;
    if (take_keyword("WHITE"))
        return WHITE;
    if (take_keyword("UV"))
        return ULTRA;
    return NO_COLOUR;
}

static int weight_of(enum kind kind)
{
    switch (kind) {
    case SPOT:
        return 12;
    case FLOOD:
        return 9;
    case WASH:
        return 20;
    case LASER:
        return 30;
    case STROBE:
        return 15;
    case HAZE:
        return 25;
    case PROFILE:
        return 18;
    case BEAM:
        return 22;
    case NO_KIND:
    default:
        reach_error();
        return 0;
    }
}

static int read_options(struct lamp *lamp)
{
    if (take_keyword("COLOUR")) {
        lamp->colour = read_colour();
        if (lamp->colour == NO_COLOUR)
            return fail(E_COLOUR);
        if (lamp->colour == ULTRA && lamp->kind != WASH && lamp->kind != FLOOD)
            return fail(E_COLOUR);
        if (lamp->kind == HAZE)
            return fail(E_COLOUR);
    }
    if (take_keyword("ANGLE")) {
        if (!take_range(&lamp->angle, 4, 120))
            return 0;
        if (lamp->kind == LASER && lamp->angle > 10)
            return fail(E_RANGE);
        if (lamp->angle < 4)
            reach_error();
    }
    if (take_keyword("ZOOM")) {
        if (lamp->kind != SPOT && lamp->kind != PROFILE)
            return fail(E_KIND);
        if (!take_range(&lamp->zoom, 1, 9))
            return 0;
        if (lamp->angle == 0)
            return fail(E_RANGE);
    }
    if (take_keyword("FOCUS")) {
        if (lamp->kind == FLOOD)
            return fail(E_KIND);
        if (lamp->zoom == 0)
            return fail(E_RANGE);
        if (lamp->kind != SPOT && lamp->kind != PROFILE)
            reach_error();
        if (take_keyword("SOFT"))
            lamp->zoom += 10;
        else if (take_keyword("SHARP"))
            lamp->zoom += 20;
        if (lamp->zoom > 29)
            reach_error();
    }
    if (take_keyword("GOBO")) {
        if (lamp->kind != PROFILE)
            return fail(E_KIND);
        if (!take_range(&lamp->gobo, 1, 12))
            return 0;
    }
    if (take_keyword("SHUTTER")) {
        if (take_keyword("OPEN"))
            lamp->shutter = 1;
        else if (take_keyword("CLOSED"))
            lamp->shutter = 2;
        else
            return fail(E_LAMP);
    }
    if (take_keyword("CURVE")) {
        if (take_keyword("LINEAR"))
            lamp->curve = LINEAR;
        else if (take_keyword("SQUARE"))
            lamp->curve = SQUARE;
        else if (take_keyword("SMOOTH"))
            lamp->curve = SMOOTH;
        else
            return fail(E_LAMP);
        if (lamp->curve == NO_CURVE)
            reach_error();
    }
    return 1;
}

static int read_lamp(void)
{
    int number;
    struct lamp *lamp;

    if (!take_range(&number, 1, MOST_LAMPS))
        return 0;
    lamp = &plan.lamp[number - 1];
    if (lamp->kind != NO_KIND)
        return fail(E_LAMP);
    lamp->kind = read_kind();
    if (lamp->kind == NO_KIND)
        return fail(E_KIND);
    if (lamp->kind == LASER && plan.venue == OUTDOOR)
        return fail(E_KIND);
    if (take_keyword("ON")) {
        if (!take_range(&lamp->bar, 1, plan.bars))
            return 0;
        plan.bar[lamp->bar - 1].load += weight_of(lamp->kind);
        if (plan.bar[lamp->bar - 1].load > plan.bar[lamp->bar - 1].limit)
            return fail(E_BAR);
        if (!plan.bar[lamp->bar - 1].used)
            reach_error();
    } else if (take_keyword("FLOOR")) {
        if (lamp->kind == BEAM && plan.venue == TOURING)
            return fail(E_LAMP);
        lamp->bar = 0;
    } else {
        return fail(E_LAMP);
    }
    if (take_keyword("POWER")) {
        if (!take_range(&lamp->power, 1, 2000))
            return 0;
    } else {
        lamp->power = lamp->kind == LASER ? 5 : 500;
    }
    plan.total_power += lamp->power;
    if (!read_options(lamp))
        return 0;
    plan.lamps++;
    if (plan.lamps > MOST_LAMPS)
        reach_error();
    return take_semicolon();
}

static int read_lamps(void)
{
    if (!take_keyword("LAMPS"))
        return fail(E_LAMP);
    while (take_keyword("LAMP")) {
        if (!read_lamp())
            return 0;
    }
    if (plan.lamps == 0)
        return fail(E_LAMP);
    if (!take_keyword("END"))
        return fail(E_END);
    return 1;
}

/* ---- Groups. ---- */

static int read_group(void)
{
    int number;
    int lamp;

    if (plan.groups >= MOST_GROUPS)
        return fail(E_GROUP);
    plan.groups++;
    if (!take_range(&number, 1, MOST_GROUPS))
        return 0;
    if (number > MOST_GROUPS)
        reach_error();
    while (take_keyword("MEMBER")) {
        if (!take_range(&lamp, 1, MOST_LAMPS))
            return 0;
        if (plan.lamp[lamp - 1].kind == NO_KIND)
            return fail(E_GROUP);
        if (plan.lamp[lamp - 1].group != 0)
            return fail(E_GROUP);
        plan.lamp[lamp - 1].group = number;
        plan.group_size[number - 1]++;
        if (plan.group_size[number - 1] > MOST_LAMPS)
            reach_error();
    }
    if (take_keyword("EXCEPT")) {
        if (!take_range(&lamp, 1, MOST_LAMPS))
            return 0;
        if (plan.lamp[lamp - 1].group != number)
            return fail(E_GROUP);
        plan.lamp[lamp - 1].group = 0;
        plan.group_size[number - 1]--;
        if (plan.group_size[number - 1] < 0)
            reach_error();
    }
    return take_semicolon();
}

static int read_groups(void)
{
    if (!take_keyword("GROUPS"))
        return 1;
    while (take_keyword("GROUP")) {
        if (!read_group())
            return 0;
    }
    if (!take_keyword("END"))
        return fail(E_END);
    return 1;
}

/* ---- The patch: which channel drives which lamp. ---- */

static int read_patched_lamp(void)
{
    int number;
    struct lamp *lamp;

    if (!take_range(&number, 1, MOST_LAMPS))
        return 0;
    lamp = &plan.lamp[number - 1];
    if (lamp->kind == NO_KIND)
        return fail(E_PATCH);
    if (!take_keyword("AT"))
        return fail(E_PATCH);
    if (!take_range(&lamp->channel, 1, 512))
        return 0;
    if (take_keyword("MODE")) {
        if (take_keyword("STD"))
            lamp->mode = 1;
        else if (take_keyword("EXT"))
            lamp->mode = 2;
        else
            return fail(E_PATCH);
        if (lamp->mode == 2 && lamp->channel > 500)
            return fail(E_CHANNEL);
    }
    if (lamp->mode > 2)
        reach_error();
    return take_semicolon();
}

static int read_patch(void)
{
    int i;
    int patched = 0;

    if (!take_keyword("PATCH"))
        return fail(E_PATCH);
    if (take_keyword("UNIVERSE")) {
        if (!take_range(&plan.universe, 1, 16))
            return 0;
        if (!take_semicolon())
            return 0;
    }
    if (take_keyword("MERGE")) {
        if (take_keyword("HTP"))
            plan.merge = 1;
        else if (take_keyword("LTP"))
            plan.merge = 2;
        else
            return fail(E_PATCH);
        if (!take_semicolon())
            return 0;
    }
    while (take_keyword("LAMP")) {
        if (!read_patched_lamp())
            return 0;
    }
    for (i = 0; i < MOST_LAMPS; i++) {
        if (plan.lamp[i].channel != 0) {
            patched++;
            if (plan.lamp[i].kind == NO_KIND)
                reach_error();
        }
    }
    if (patched == 0)
        return fail(E_PATCH);
    if (patched > plan.lamps)
        reach_error();
    if (!take_keyword("END"))
        return fail(E_END);
    return 1;
}

/* ---- Limits and safety, both optional. ---- */

static int read_limits(void)
{
    if (!take_keyword("LIMITS"))
        return 1;
    if (take_keyword("MAXPOWER")) {
        if (!take_range(&plan.most_power, 100, 20000))
            return 0;
        if (plan.total_power > plan.most_power)
            return fail(E_POWER);
    }
    if (take_keyword("MAXCUES")) {
        if (!take_range(&plan.most_cues, 1, MOST_CUES))
            return 0;
    }
    if (take_keyword("PHASE")) {
        if (take_keyword("ONE"))
            plan.phase = ONE;
        else if (take_keyword("TWO"))
            plan.phase = TWO;
        else if (take_keyword("THREE"))
            plan.phase = THREE;
        else
            return fail(E_LIMIT);
        if (plan.phase == ONE && plan.total_power > 3600)
            return fail(E_POWER);
    }
    if (!take_keyword("END"))
        return fail(E_END);
    return 1;
}

static int read_safety(void)
{
    if (!take_keyword("SAFETY"))
        return 1;
    if (take_keyword("ESTOP"))
        plan.stop = 1;
    if (take_keyword("FIRE")) {
        if (take_keyword("CURTAIN"))
            plan.fire = 1;
        else if (take_keyword("SPRINKLER"))
            plan.fire = 2;
        else if (take_keyword("WATCH"))
            plan.fire = 3;
        else
            return fail(E_SAFETY);
    }
    if (take_keyword("EXITS")) {
        if (!take_range(&plan.exits, 1, 20))
            return 0;
        if (plan.exits == 1 && plan.venue == INDOOR)
            return fail(E_SAFETY);
    }
    if (take_keyword("ZONE")) {
        if (!take_range(&plan.zone_from, 0, 50))
            return 0;
        if (!take_keyword("TO"))
            return fail(E_SAFETY);
        if (!take_range(&plan.zone_to, plan.zone_from, 50))
            return 0;
        if (plan.zone_to < plan.zone_from)
            reach_error();
        if (plan.zone_from > 40 && plan.zone_to < 40)
            reach_error();
    }
    if (!take_keyword("END"))
        return fail(E_END);
    return 1;
}

/* ---- Cues. ---- */

static int read_level(struct cue *cue)
{
    int lamp;
    int level;

    if (take_keyword("ALL")) {
        if (!take_range(&level, 0, 100))
            return 0;
        cue->levels += plan.lamps;
    } else if (take_keyword("GROUP")) {
        if (!take_range(&lamp, 1, MOST_GROUPS))
            return 0;
        if (plan.group_size[lamp - 1] == 0)
            return fail(E_CUE);
        if (!take_range(&level, 0, 100))
            return 0;
        cue->levels += plan.group_size[lamp - 1];
    } else {
        if (!take_range(&lamp, 1, MOST_LAMPS))
            return 0;
        if (plan.lamp[lamp - 1].channel == 0)
            return fail(E_CUE);
        if (!take_range(&level, 0, 100))
            return 0;
        if (level > 0 && plan.lamp[lamp - 1].shutter == 2)
            return fail(E_CUE);
        cue->levels++;
    }
    if (level > 100)
        reach_error();
    return 1;
}

static int read_cue(int *last)
{
    int number;
    struct cue *cue;

    if (!take_range(&number, 1, MOST_CUES))
        return 0;
    if (plan.most_cues > 0 && number > plan.most_cues)
        return fail(E_CUE);
    if (number <= *last)
        return fail(E_CUE);
    cue = &plan.cue[number - 1];
    if (cue->used)
        reach_error();
    cue->used = 1;
    *last = number;
    plan.cues++;
    if (take_keyword("TIME")) {
        if (!take_range(&cue->time, 0, 3600))
            return 0;
    }
    while (take_keyword("LEVEL")) {
        if (!read_level(cue))
            return 0;
        if (cue->levels > 12)
            return fail(E_CUE);
    }
    if (take_keyword("FADE")) {
        if (take_keyword("IN"))
            cue->fade = 1;
        else if (take_keyword("OUT"))
            cue->fade = 2;
        else if (take_keyword("CROSS"))
            cue->fade = 3;
        else
            return fail(E_FADE);
        if (!take_range(&cue->time, 0, 99))
            return 0;
        if (cue->fade == 3 && *last == 1)
            return fail(E_FADE);
    }
    if (take_keyword("FOLLOW")) {
        if (!take_range(&cue->follow, 0, 600))
            return 0;
    } else if (take_keyword("WAIT")) {
        cue->follow = -1;
    }
    if (take_keyword("GOTO")) {
        if (!take_range(&cue->jump, 1, MOST_CUES))
            return 0;
        if (!plan.cue[cue->jump - 1].used)
            return fail(E_CUE);
        if (cue->jump > number)
            reach_error();
        if (take_keyword("LOOP")) {
            if (!take_range(&cue->loops, 1, 9))
                return 0;
            if (cue->jump == number && cue->follow <= 0)
                return fail(E_CUE);
        }
    }
    return take_semicolon();
}

static int read_cues(void)
{
    int last = 0;

    if (!take_keyword("CUES"))
        return fail(E_CUE);
    while (take_keyword("CUE")) {
        if (!read_cue(&last))
            return 0;
        if (plan.cues > last)
            reach_error();
    }
    if (plan.cues == 0)
        return fail(E_CUE);
    if (!take_keyword("END"))
        return fail(E_END);
    return 1;
}

/* ---- The whole. ---- */

static int check_plan(void)
{
    int i;
    int lasers = 0;
    int hazers = 0;

    for (i = 0; i < MOST_LAMPS; i++) {
        if (plan.lamp[i].kind == LASER)
            lasers++;
        if (plan.lamp[i].kind == HAZE)
            hazers++;
    }
    if (lasers > 0 && hazers == 0)
        return fail(E_REST);
    if (lasers > 0 && !plan.stop)
        return fail(E_SAFETY);
    if (hazers > 0 && plan.fire == 2)
        return fail(E_SAFETY);
    if (lasers > 0 && plan.venue == OUTDOOR)
        reach_error();
    if (lasers + hazers > plan.lamps)
        reach_error();
    if (plan.most_power > 0 && plan.total_power > plan.most_power)
        reach_error();
    return 1;
}

/* What the sections have left behind, checked once more before a plan is used. */
static void audit_bars(void)
{
    int i;

    for (i = 0; i < plan.bars; i++) {
        const struct bar *bar = &plan.bar[i];

        if (!bar->used)
            reach_error();
        if (bar->height < 1 || bar->height > 60)
            reach_error();
        if (bar->length == 0)
            reach_error();
        if (bar->load > bar->limit)
            reach_error();
        if (bar->limit < 10)
            reach_error();
        if (bar->motor != 0 && plan.venue == OUTDOOR)
            reach_error();
    }
}

static void audit_lamps(void)
{
    int i;
    int power = 0;

    for (i = 0; i < MOST_LAMPS; i++) {
        const struct lamp *lamp = &plan.lamp[i];

        if (lamp->kind == NO_KIND) {
            if (lamp->power != 0 || lamp->channel != 0)
                reach_error();
            continue;
        }
        power += lamp->power;
        if (lamp->bar > plan.bars)
            reach_error();
        if (lamp->kind == LASER && lamp->angle > 10)
            reach_error();
        if (lamp->gobo > 0 && lamp->kind != PROFILE)
            reach_error();
        if (lamp->zoom > 0 && lamp->angle == 0)
            reach_error();
        if (lamp->colour == ULTRA && lamp->kind == SPOT)
            reach_error();
        if (lamp->shutter > 2 || lamp->shutter < 0)
            reach_error();
        if (lamp->mode == 2 && lamp->channel > 500)
            reach_error();
        if (lamp->group > MOST_GROUPS)
            reach_error();
    }
    if (power != plan.total_power)
        reach_error();
}

static void audit_cues(void)
{
    int i;
    int used = 0;

    for (i = 0; i < MOST_CUES; i++) {
        const struct cue *cue = &plan.cue[i];

        if (!cue->used) {
            if (cue->levels != 0)
                reach_error();
            continue;
        }
        used++;
        if (cue->levels > 12)
            reach_error();
        if (cue->fade == 3 && i == 0)
            reach_error();
        if (cue->jump > i + 1)
            reach_error();
        if (cue->loops > 0 && cue->jump == 0)
            reach_error();
        switch (cue->fade) {
        case 0:
        case 1:
        case 2:
        case 3:
            break;
        default:
            reach_error();
            break;
        }
    }
    if (used != plan.cues)
        reach_error();
}

static int interpret(void)
{
    if (!read_header())
        return 0;
    if (!read_rig())
        return 0;
    if (!read_lamps())
        return 0;
    if (!read_groups())
        return 0;
    if (!read_patch())
        return 0;
    if (!read_limits())
        return 0;
    if (!read_safety())
        return 0;
    if (!read_cues())
        return 0;
    if (!take_keyword("END"))
        return fail(E_END);
    skip_blanks();
    if (tape_get() != 0)
        return fail(E_TAPE);
    if (!check_plan())
        return 0;
    audit_bars();
    audit_lamps();
    audit_cues();
    return 1;
}

int main(void)
{
    int ok;

    labrys_symbolic(tape, sizeof tape, "tape");
    ok = interpret();
    if (ok && failure != FINE)
        reach_error();
    if (!ok && failure == FINE)
        reach_error();
    return (int)failure;
}
