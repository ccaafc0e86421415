/* disc_changer.c: the driver of a changer for audio discs.
 *
 * What it models: the largest of four layered drivers. At its start the driver finds out which of five
 * makes the changer is, by a registry value and by an inquiry that is sent to the drive; each make has
 * its own commands for the same controls. A control goes through several layers: the control routine
 * checks the request and the state of the player, builds a command for the make, a sender repeats it as
 * long as the drive says that its media has changed or that it is busy, and the completion routine maps
 * sense data to a status. The table of contents of a disc is read track by track.
 *
 * Who owns a request packet is a protocol, and an automaton in global variables follows every call of the
 * kernel; its constants, the limits of the makes and the build options are set once, in chart_course. The
 * driver keeps to the protocol, so that the checks cannot fail. What the system asks and what the drive
 * answers is non-deterministic. A session ends when the system says so. */

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* ---- Status codes and sense keys. ---- */

#define S_OK 0
#define S_PENDING 259
#define S_REPARSE 300
#define S_INVALID (-21)
#define S_SMALL (-22)
#define S_NO_MEDIA (-23)
#define S_CHANGED (-24)
#define S_BUSY (-25)
#define S_IO (-26)
#define S_MEMORY (-27)
#define S_UNSUPPORTED (-28)
#define S_REMOVED (-29)
#define S_KEEP (-30)
#define S_SLOT (-31)

#define SENSE_NONE 0
#define SENSE_RECOVERED 1
#define SENSE_NOT_READY 2
#define SENSE_MEDIUM 3
#define SENSE_HARDWARE 4
#define SENSE_ATTENTION 6

/* ---- Packets. ---- */

#define MJ_CREATE 0
#define MJ_CLOSE 2
#define MJ_CONTROL 14
#define MJ_POWER 22
#define MJ_PNP 27

#define MN_START 0
#define MN_REMOVE 2
#define MN_STOP 4
#define MN_USAGE 22

#define IO_READ_TOC 147456
#define IO_PLAY 147480
#define IO_SEEK 147460
#define IO_PAUSE 147468
#define IO_RESUME 147472
#define IO_STOP 147464
#define IO_VOLUME 147476
#define IO_GET_VOLUME 147479
#define IO_POSITION 147500
#define IO_LOAD_SLOT 147520
#define IO_EJECT 147528
#define IO_CHECK 147456000

/* ---- Makes. ---- */

enum make { MAKE_UNKNOWN, MAKE_PLAIN, MAKE_NORDIC, MAKE_HELIOS, MAKE_PRIMA, MAKE_ATLAS };

static int MAX_TRACKS;    /* of a table of contents */
static int MAX_RETRIES;   /* of a command */
static int SLOTS;         /* of a changer of make Atlas; the others have one */
static int HAS_SCAN;      /* whether the build has the scan command: it has not */
static int DEBUG_LEVEL;   /* 0 in this build */

/* ---- The protocol of packets. ---- */

static int FRESH, CLOSED, SKIPPED, GONE, HOOKED, AWAY, HOME, STALLED;

static int course;         /* the state */
static int course_status;  /* of the closed packet */
static int course_below;   /* what the driver below returned */
static int course_hook;    /* 0, or the completion routine */
static int course_sends;   /* packets of the driver's own that are under way */
static int course_own;     /* how many were sent in all for this packet */
static int course_lock;    /* the lock of the device is held */

static void off_course(void) { reach_error(); }

static void chart_course(void)
{
    FRESH = 1;
    CLOSED = 2;
    SKIPPED = 3;
    GONE = 4;
    HOOKED = 5;
    AWAY = 6;
    HOME = 7;
    STALLED = 8;
    MAX_TRACKS = 5;
    MAX_RETRIES = 3;
    SLOTS = 6;
    HAS_SCAN = 0;
    DEBUG_LEVEL = 0;
    course_lock = 0;
}

static void new_course(void)
{
    course = FRESH;
    course_status = S_KEEP;
    course_below = S_KEEP;
    course_hook = 0;
    course_sends = 0;
    course_own = 0;
}

/* ---- Data. ---- */

struct packet {
    int major;
    int minor;
    int code;
    int in_length;
    int out_length;
    int argument;
    int status;
    int bytes;
};

/* A command for the drive, of the driver's own. */
struct command {
    int opcode;
    int operand;
    int length;
    int sense;
    int status;
    int attempts;
};

enum player { PLAYER_EMPTY, PLAYER_READY, PLAYER_PLAYING, PLAYER_PAUSED };

struct changer {
    enum make make;
    enum player player;
    int started;
    int removed;
    int opens;
    int usage;
    int power;
    int slot;
    int loads;
    int tracks;
    int first_track;
    int toc_valid;
    int volume_left;
    int volume_right;
    int position;
    int paused_at;
    int changes;
    int errors;
    int worn;
};

static struct changer cd;
static int done_event;

/* ---- The kernel. ---- */

static void lock_device(void)
{
    if (course_lock)
        off_course();
    course_lock = 1;
}

static void unlock_device(void)
{
    if (!course_lock)
        off_course();
    course_lock = 0;
}

static void close_packet(struct packet *p)
{
    if (course_lock)
        off_course();
    if (course_sends != 0)
        off_course();
    if (course == FRESH || course == HOME) {
        course = CLOSED;
        course_status = p->status;
    } else if (course == CLOSED) {
        off_course();
    } else if (course == STALLED) {
        course = CLOSED;
        course_status = p->status;
    } else {
        off_course();
    }
}

static void skip_packet(void)
{
    if (course == FRESH)
        course = SKIPPED;
    else
        off_course();
}

static void hook_packet(int routine)
{
    if (course == FRESH) {
        course = HOOKED;
        course_hook = routine;
    } else {
        off_course();
    }
}

static int back_home(struct packet *p)
{
    if (course != AWAY)
        off_course();
    if (p->status == S_PENDING)
        p->bytes = 0;
    done_event = 1;
    return S_KEEP;
}

static int send_packet(struct packet *p)
{
    int answer;

    switch (__VERIFIER_nondet_int()) {
    case 0:
        answer = S_OK;
        break;
    case 1:
        answer = S_IO;
        break;
    case 2:
        answer = S_REMOVED;
        break;
    default:
        answer = S_PENDING;
        break;
    }
    course_below = answer;
    if (course == SKIPPED) {
        course = GONE;
        return answer;
    }
    if (course == HOOKED) {
        course = AWAY;
        p->status = answer == S_PENDING ? (__VERIFIER_nondet_int() == 0 ? S_OK : S_IO) : answer;
        if (course_hook == 1) {
            if (back_home(p) != S_KEEP)
                off_course();
            course = HOME;
        } else if (course_hook == 2) {
            course = STALLED;
        } else {
            off_course();
        }
        return answer;
    }
    off_course();
    return S_IO;
}

static void await_packet(void)
{
    if (course == HOME) {
        if (done_event == 0)
            off_course();
    } else if (course == AWAY) {
        off_course();
    }
}

/* ---- Packets that are finished or passed on. ---- */

static int finish(struct packet *p, int status, int bytes)
{
    p->status = status;
    p->bytes = bytes;
    close_packet(p);
    return status;
}

static int pass_down(struct packet *p)
{
    skip_packet();
    return send_packet(p);
}

static int pass_and_wait(struct packet *p)
{
    int status;

    done_event = 0;
    hook_packet(1);
    status = send_packet(p);
    if (status == S_PENDING) {
        await_packet();
        status = p->status;
    }
    if (status == S_PENDING)
        status = S_IO;
    return status;
}

/* ---- Commands of the driver's own, three layers. ---- */

/* The lowest layer: one attempt. The drive answers with a sense key. */
static int attempt(struct command *c)
{
    int sense;

    course_sends++;
    if (course_sends > 1)
        off_course();
    c->attempts++;
    sense = __VERIFIER_nondet_int();
    switch (sense) {
    case SENSE_NONE:
    case SENSE_RECOVERED:
        c->status = S_OK;
        break;
    case SENSE_NOT_READY:
        c->status = S_BUSY;
        break;
    case SENSE_MEDIUM:
        c->status = S_NO_MEDIA;
        break;
    case SENSE_HARDWARE:
        c->status = S_IO;
        break;
    case SENSE_ATTENTION:
        c->status = S_CHANGED;
        break;
    default:
        sense = SENSE_HARDWARE;
        c->status = S_IO;
        break;
    }
    c->sense = sense;
    course_sends--;
    course_own++;
    return c->status;
}

/* The middle layer: what a sense key means for the player. */
static int completed(struct command *c)
{
    if (c->sense == SENSE_RECOVERED) {
        cd.worn++;
        if (c->status != S_OK)
            off_course();
    }
    switch (c->status) {
    case S_OK:
        return S_OK;
    case S_BUSY:
        return S_BUSY;
    case S_CHANGED:
        cd.changes++;
        cd.toc_valid = 0;
        cd.tracks = 0;
        if (cd.player == PLAYER_PLAYING || cd.player == PLAYER_PAUSED)
            cd.player = PLAYER_READY;
        return S_CHANGED;
    case S_NO_MEDIA:
        cd.player = PLAYER_EMPTY;
        cd.toc_valid = 0;
        cd.tracks = 0;
        return S_NO_MEDIA;
    case S_IO:
        cd.errors++;
        return S_IO;
    case S_PENDING:
        off_course();
        return S_IO;
    default:
        off_course();
        return S_IO;
    }
}

/* The upper layer: repeats while the drive is busy or its disc has changed. */
static int send_command(int opcode, int operand, int length)
{
    struct command c;
    int status;

    c.opcode = opcode;
    c.operand = operand;
    c.length = length;
    c.sense = SENSE_NONE;
    c.status = S_PENDING;
    c.attempts = 0;
    for (;;) {
        status = attempt(&c);
        status = completed(&c);
        if (status != S_BUSY && status != S_CHANGED)
            break;
        if (c.attempts >= MAX_RETRIES)
            break;
    }
    if (c.attempts > MAX_RETRIES)
        off_course();
    if (c.opcode == 0 && c.operand != 0)
        off_course();
    if (DEBUG_LEVEL > 0 && status != S_OK)
        cd.errors = 0;
    return status;
}

/* ---- Which make it is. ---- */

static int find_make(int registry)
{
    int answer;

    switch (registry) {
    case 0:
        break;
    case 1:
        cd.make = MAKE_PLAIN;
        return S_OK;
    case 2:
        cd.make = MAKE_NORDIC;
        break;
    case 3:
        cd.make = MAKE_HELIOS;
        break;
    case 4:
        cd.make = MAKE_PRIMA;
        break;
    case 5:
        cd.make = MAKE_ATLAS;
        break;
    default:
        return S_INVALID;
    }
    if (send_command(18, 0, 36) != S_OK) {
        cd.make = MAKE_UNKNOWN;
        return S_IO;
    }
    answer = __VERIFIER_nondet_int();
    if (cd.make == MAKE_UNKNOWN) {
        if (answer == 'A')
            cd.make = MAKE_ATLAS;
        else
            cd.make = MAKE_PLAIN;
        return S_OK;
    }
    if (cd.make == MAKE_HELIOS && answer == 'h') {
        /* The first Helios drives wake only after a second command. */
        if (send_command(0, 0, 0) == S_IO)
            return S_IO;
    }
    if (cd.make == MAKE_PLAIN)
        off_course();
    return S_OK;
}

static int play_opcode(void)
{
    switch (cd.make) {
    case MAKE_PLAIN:
    case MAKE_ATLAS:
        return 71;
    case MAKE_NORDIC:
        return 201;
    case MAKE_HELIOS:
        return 227;
    case MAKE_PRIMA:
        return 240;
    case MAKE_UNKNOWN:
    default:
        off_course();
        return 0;
    }
}

static int pause_opcode(void)
{
    switch (cd.make) {
    case MAKE_PLAIN:
    case MAKE_ATLAS:
    case MAKE_PRIMA:
        return 75;
    case MAKE_NORDIC:
        return 205;
    case MAKE_HELIOS:
        return 229;
    case MAKE_UNKNOWN:
    default:
        off_course();
        return 0;
    }
}

/* ---- The table of contents. ---- */

static int read_toc(void)
{
    int track;
    int last;
    int start;
    int before = -1;

    if (cd.toc_valid)
        return S_OK;
    if (send_command(67, 0, 804) != S_OK)
        return S_IO;
    last = __VERIFIER_nondet_int();
    if (last < 1 || last > MAX_TRACKS)
        return S_IO;
    for (track = 1; track <= last; track++) {
        start = __VERIFIER_nondet_int();
        if (start <= before || start > 400000) {
            cd.errors++;
            return S_IO;
        }
        if (track > MAX_TRACKS)
            off_course();
        if (start < 0)
            off_course();
        before = start;
    }
    cd.first_track = 1;
    cd.tracks = last;
    cd.toc_valid = 1;
    if (cd.player == PLAYER_EMPTY)
        cd.player = PLAYER_READY;
    return S_OK;
}

static int control_toc(struct packet *p)
{
    int status;

    if (p->out_length < 4)
        return S_SMALL;
    status = read_toc();
    if (status != S_OK)
        return status;
    if (!cd.toc_valid)
        off_course();
    if (p->out_length < 4 + 8 * cd.tracks)
        p->bytes = 4;
    else
        p->bytes = 4 + 8 * cd.tracks;
    if (cd.tracks == 0)
        return S_NO_MEDIA;
    return S_OK;
}

/* ---- Playing. ---- */

static int check_media(void)
{
    int status;

    if (cd.player == PLAYER_EMPTY) {
        status = send_command(0, 0, 0);
        if (status != S_OK)
            return status == S_NO_MEDIA ? S_NO_MEDIA : S_IO;
        cd.player = PLAYER_READY;
    }
    return S_OK;
}

static int control_play(struct packet *p)
{
    int status;

    if (p->in_length < 6)
        return S_SMALL;
    status = check_media();
    if (status != S_OK)
        return status;
    status = read_toc();
    if (status != S_OK)
        return status;
    if (p->argument < cd.first_track || p->argument > cd.tracks)
        return S_INVALID;
    if (p->argument > MAX_TRACKS)
        off_course();
    if (cd.player == PLAYER_PLAYING && cd.position == p->argument)
        return S_OK;
    if (cd.make == MAKE_NORDIC && cd.player == PLAYER_PAUSED) {
        /* A Nordic drive must be stopped first. */
        status = send_command(206, 0, 0);
        if (status != S_OK)
            return status;
        cd.player = PLAYER_READY;
    }
    status = send_command(play_opcode(), p->argument, 0);
    if (status != S_OK)
        return status;
    if (cd.player == PLAYER_EMPTY)
        off_course();
    cd.player = PLAYER_PLAYING;
    cd.position = p->argument;
    return S_OK;
}

static int control_pause(void)
{
    int status;

    if (cd.player != PLAYER_PLAYING)
        return cd.player == PLAYER_PAUSED ? S_OK : S_INVALID;
    if (cd.make == MAKE_HELIOS) {
        status = send_command(228, 0, 0);
        if (status == S_OK)
            cd.player = PLAYER_READY;
        return status;
    }
    status = send_command(pause_opcode(), 1, 0);
    if (status != S_OK)
        return status;
    cd.player = PLAYER_PAUSED;
    cd.paused_at = cd.position;
    return S_OK;
}

static int control_resume(void)
{
    int status;

    if (cd.make == MAKE_HELIOS)
        return S_UNSUPPORTED;
    if (cd.player != PLAYER_PAUSED)
        return S_INVALID;
    if (cd.paused_at == 0)
        return S_INVALID;
    if (cd.make == MAKE_HELIOS)
        return S_INVALID;
    status = send_command(pause_opcode(), 0, 0);
    if (status == S_OK)
        cd.player = PLAYER_PLAYING;
    return status;
}

static int control_seek(struct packet *p)
{
    int status;

    if (p->in_length < 3)
        return S_SMALL;
    if (!cd.toc_valid)
        return S_INVALID;
    if (cd.tracks < 1)
        off_course();
    if (p->argument < 1 || p->argument > cd.tracks)
        return S_INVALID;
    status = send_command(43, p->argument, 0);
    if (status == S_OK) {
        cd.position = p->argument;
        if (cd.player == PLAYER_PLAYING && cd.make != MAKE_PRIMA)
            cd.player = PLAYER_READY;
    }
    return status;
}

static int control_stop(void)
{
    int status;

    if (cd.player == PLAYER_EMPTY)
        return S_NO_MEDIA;
    status = send_command(cd.make == MAKE_NORDIC ? 206 : 78, 0, 0);
    if (status == S_OK && cd.player != PLAYER_READY)
        cd.player = PLAYER_READY;
    return status;
}

static int control_volume(struct packet *p)
{
    int left = p->argument;
    int right = p->in_length;

    if (cd.make == MAKE_PRIMA || cd.make == MAKE_HELIOS)
        return S_UNSUPPORTED;
    if (left < 0 || left > 255 || right < 0 || right > 255)
        return S_INVALID;
    if (send_command(85, left, right) != S_OK)
        return S_IO;
    cd.volume_left = left;
    cd.volume_right = right;
    if (cd.volume_left + cd.volume_right > 510)
        off_course();
    return S_OK;
}

static int control_position(struct packet *p)
{
    int track;

    if (p->out_length < 16)
        return S_SMALL;
    if (cd.player != PLAYER_PLAYING && cd.player != PLAYER_PAUSED)
        return S_INVALID;
    if (send_command(66, 1, 16) != S_OK)
        return S_IO;
    track = __VERIFIER_nondet_int();
    if (cd.make == MAKE_NORDIC) {
        /* In decimal digits of four bits each. */
        int high = (track >> 4) & 15;
        int low = track & 15;
        if (high > 9 || low > 9)
            return S_IO;
        track = high * 10 + low;
        if (track > 99 || track < 0)
            off_course();
    }
    if (track < 1 || track > cd.tracks)
        return S_IO;
    if (cd.player == PLAYER_PLAYING)
        cd.position = track;
    p->bytes = 16;
    return S_OK;
}

static int control_load(struct packet *p)
{
    int status;

    if (cd.make != MAKE_ATLAS)
        return S_UNSUPPORTED;
    if (p->argument < 0 || p->argument >= SLOTS)
        return S_SLOT;
    if (p->argument == cd.slot && cd.player != PLAYER_EMPTY)
        return S_OK;
    if (cd.player == PLAYER_PLAYING) {
        status = control_stop();
        if (status != S_OK)
            return status;
        if (cd.player == PLAYER_PLAYING)
            off_course();
    }
    status = send_command(166, p->argument, 0);
    if (status != S_OK)
        return status;
    cd.slot = p->argument;
    cd.loads++;
    cd.toc_valid = 0;
    cd.tracks = 0;
    cd.player = PLAYER_EMPTY;
    if (cd.loads >= 3 && cd.worn >= 2)
        return S_REPARSE;
    return S_OK;
}

static int control_eject(void)
{
    if (cd.usage > 0)
        return S_BUSY;
    if (cd.make == MAKE_ATLAS && cd.slot == SLOTS)
        off_course();
    if (send_command(27, 2, 0) != S_OK)
        return S_IO;
    cd.player = PLAYER_EMPTY;
    cd.toc_valid = 0;
    cd.tracks = 0;
    return S_OK;
}

static int control(struct packet *p)
{
    int status;

    if (!cd.started)
        return finish(p, S_REMOVED, 0);
    if (cd.make == MAKE_UNKNOWN)
        return finish(p, S_UNSUPPORTED, 0);
    if (cd.power > 0)
        return finish(p, S_BUSY, 0);
    lock_device();
    p->bytes = 0;
    switch (p->code) {
    case IO_READ_TOC:
        status = control_toc(p);
        break;
    case IO_PLAY:
        status = control_play(p);
        break;
    case IO_SEEK:
        status = control_seek(p);
        break;
    case IO_PAUSE:
        status = control_pause();
        break;
    case IO_RESUME:
        status = control_resume();
        break;
    case IO_STOP:
        status = control_stop();
        break;
    case IO_VOLUME:
        status = control_volume(p);
        break;
    case IO_GET_VOLUME:
        status = p->out_length < 4 ? S_SMALL : S_OK;
        break;
    case IO_POSITION:
        status = control_position(p);
        break;
    case IO_LOAD_SLOT:
        status = control_load(p);
        break;
    case IO_EJECT:
        status = control_eject();
        break;
    case IO_CHECK:
        if (HAS_SCAN)
            status = S_UNSUPPORTED;
        else
            status = cd.changes > 0 ? S_CHANGED : S_OK;
        cd.changes = 0;
        break;
    default:
        unlock_device();
        return pass_down(p);
    }
    unlock_device();
    if (status == S_PENDING || status == S_KEEP)
        off_course();
    if (status == S_CHANGED && p->bytes != 0)
        off_course();
    return finish(p, status, p->bytes);
}

/* ---- Plug and play. ---- */

static int start(struct packet *p)
{
    int status = pass_and_wait(p);

    if (status == S_OK) {
        if (!cd.started) {
            status = find_make(__VERIFIER_nondet_int());
            if (status == S_OK) {
                cd.started = 1;
                cd.removed = 0;
                cd.player = PLAYER_EMPTY;
                cd.slot = 0;
            } else {
                cd.make = MAKE_UNKNOWN;
            }
        }
    }
    if (cd.started && cd.make == MAKE_UNKNOWN)
        off_course();
    return finish(p, status, 0);
}

static int usage(struct packet *p)
{
    int status;

    if (p->argument != 0 && p->argument != 1)
        return finish(p, S_INVALID, 0);
    if (p->argument == 0 && cd.usage == 0)
        return finish(p, S_INVALID, 0);
    status = pass_and_wait(p);
    if (status == S_OK)
        cd.usage += p->argument == 1 ? 1 : -1;
    if (cd.usage < 0)
        off_course();
    return finish(p, status, 0);
}

static int plug(struct packet *p)
{
    int status;

    switch (p->minor) {
    case MN_START:
        return start(p);
    case MN_REMOVE:
        status = pass_and_wait(p);
        cd.started = 0;
        cd.removed = 1;
        cd.make = MAKE_UNKNOWN;
        cd.toc_valid = 0;
        cd.tracks = 0;
        return finish(p, status, 0);
    case MN_STOP:
        if (cd.usage > 0)
            return finish(p, S_BUSY, 0);
        return pass_down(p);
    case MN_USAGE:
        return usage(p);
    default:
        return pass_down(p);
    }
}

static int create(struct packet *p)
{
    if (cd.removed)
        return finish(p, S_REMOVED, 0);
    if (cd.opens < 4)
        cd.opens++;
    return pass_down(p);
}

static int close_handle(struct packet *p)
{
    if (cd.opens == 0)
        return finish(p, S_INVALID, 0);
    cd.opens--;
    if (cd.opens > 3)
        off_course();
    if (cd.opens == 0 && cd.player == PLAYER_PLAYING && cd.started) {
        lock_device();
        (void)control_stop();
        unlock_device();
    }
    return pass_down(p);
}

static int power(struct packet *p)
{
    if (p->minor == 2) {
        if (p->argument < 0 || p->argument > 3)
            return finish(p, S_INVALID, 0);
        if (p->argument > 0 && cd.usage > 0)
            return finish(p, S_BUSY, 0);
        cd.power = p->argument;
    }
    if (cd.power < 0 || cd.power > 3)
        off_course();
    return pass_down(p);
}

static int dispatch(struct packet *p)
{
    switch (p->major) {
    case MJ_CREATE:
        return create(p);
    case MJ_CLOSE:
        return close_handle(p);
    case MJ_CONTROL:
        return control(p);
    case MJ_POWER:
        return power(p);
    case MJ_PNP:
        return plug(p);
    default:
        return pass_down(p);
    }
}

/* ---- The system. ---- */

static void check_course(int status)
{
    if (course_lock)
        off_course();
    if (course == FRESH) {
        off_course();
    } else if (course == CLOSED) {
        if (status == S_PENDING)
            off_course();
        if (status != course_status)
            off_course();
    } else if (course == GONE) {
        if (status != course_below)
            off_course();
    } else if (course == HOME) {
        off_course();
    } else if (course == AWAY || course == HOOKED) {
        off_course();
    } else if (course == STALLED) {
        if (status != S_PENDING)
            off_course();
    } else {
        off_course();
    }
    if (course_sends != 0)
        off_course();
    if (course_own > 0 && course == SKIPPED)
        off_course();
}

/* Counters stop at twelve. */
static int capped(int count) { return count > 12 ? 12 : count; }

static void check_player(void)
{
    switch (cd.player) {
    case PLAYER_EMPTY:
        break;
    case PLAYER_READY:
        break;
    case PLAYER_PLAYING:
        if (cd.position < 1 || cd.position > MAX_TRACKS)
            off_course();
        break;
    case PLAYER_PAUSED:
        if (cd.make == MAKE_HELIOS && cd.started)
            cd.errors++;
        break;
    default:
        off_course();
        break;
    }
    if (cd.started && cd.removed)
        off_course();
    cd.errors = capped(cd.errors);
    cd.worn = capped(cd.worn);
    cd.usage = capped(cd.usage);
    cd.loads = capped(cd.loads);
    cd.changes = capped(cd.changes);
}

int main(void)
{
    struct packet p;

    chart_course();
    while (__VERIFIER_nondet_int() != 0) {
        int status;

        new_course();
        p.major = __VERIFIER_nondet_int();
        p.minor = __VERIFIER_nondet_int();
        p.code = __VERIFIER_nondet_int();
        p.in_length = __VERIFIER_nondet_int();
        p.out_length = __VERIFIER_nondet_int();
        p.argument = __VERIFIER_nondet_int();
        p.status = S_OK;
        p.bytes = 0;
        status = dispatch(&p);
        check_course(status);
        check_player();
    }
    return cd.errors > 5;
}
