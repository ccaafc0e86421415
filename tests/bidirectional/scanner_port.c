/* scanner_port.c: the function driver of a flatbed document scanner.
 *
 * What it models: the third of four layered drivers. Besides the protocol of request packets, which is an
 * automaton in global variables (law_state, with constants that law_open sets once), it has three state
 * machines inside each other: that of the device (added, started, held, removed), that of the lamp (dark,
 * warming, steady, fault), which moves with the ticks of a timer, and that of a job (idle, previewing,
 * scanning strips, ejecting). Packets that arrive while the device is held are queued and worked off when
 * it is started again, or cancelled when it is removed.
 *
 * A run is a session of up to TURNS turns; in each turn the system sends a packet, lets the timer tick, or
 * cancels what is queued. */

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* ---- Status codes. ---- */

#define ST_OK 0
#define ST_PENDING 259
#define ST_WARMING 1
#define ST_BAD_REQUEST (-10)
#define ST_TOO_SMALL (-11)
#define ST_NO_DEVICE (-12)
#define ST_CANCELLED (-13)
#define ST_BUSY (-14)
#define ST_JAM (-15)
#define ST_QUEUE_FULL (-16)
#define ST_KEEP (-17)
#define ST_LAMP (-18)

/* ---- Functions of packets. ---- */

#define FN_OPEN 0
#define FN_CLOSE 2
#define FN_READ 3
#define FN_CONTROL 14
#define FN_POWER 22
#define FN_PNP 27

#define PNP_START 0
#define PNP_QUERY_REMOVE 1
#define PNP_REMOVE 2
#define PNP_CANCEL_REMOVE 3
#define PNP_STOP 4
#define PNP_QUERY_STOP 5
#define PNP_CANCEL_STOP 6

#define CC_PREVIEW 100
#define CC_BEGIN 101
#define CC_EJECT 102
#define CC_RESOLUTION 103
#define CC_STATUS 104

#define TURNS 20
#define QUEUE 3
#define STRIPS 4

/* ---- The protocol of packets. ---- */

static int NP;    /* new packet: nobody has done anything */
static int DC;    /* done and completed */
static int SKIP1; /* the stack location was skipped */
static int SKIP2; /* skipped and sent to the driver below */
static int MPR1;  /* a completion routine that keeps the packet is set */
static int MPR2;  /* and the packet was sent */
static int MPR3;  /* and it is back */
static int IPC;   /* pending: it is in the queue */

static int law_state;
static int law_routine;
static int law_pended;
static int law_final;
static int law_below;
static int law_strict; /* 1 in this build; decides which checks are made */

static void law_broken(void) { reach_error(); }

static void law_open(void)
{
    NP = 1;
    DC = 2;
    SKIP1 = 3;
    SKIP2 = 4;
    MPR1 = 5;
    MPR2 = 6;
    MPR3 = 7;
    IPC = 8;
    law_strict = 1;
}

static void law_packet(void)
{
    law_state = NP;
    law_routine = 0;
    law_pended = 0;
    law_final = ST_KEEP;
    law_below = ST_KEEP;
}

/* ---- The device. ---- */

enum device_state { DEV_ADDED, DEV_STARTED, DEV_REMOVE_PENDING, DEV_STOP_PENDING, DEV_STOPPED, DEV_REMOVED };
enum lamp_state { LAMP_DARK, LAMP_WARMING, LAMP_STEADY, LAMP_FAULT };
enum job_state { JOB_IDLE, JOB_PREVIEW, JOB_STRIPS, JOB_EJECT };

struct packet {
    int function;
    int minor;
    int code;
    int length;
    int status;
    int bytes;
};

struct queued {
    int function;
    int code;
    int length;
};

struct scanner {
    enum device_state state;
    enum device_state before; /* the state to which a cancelled query goes back */
    enum lamp_state lamp;
    enum job_state job;
    int holding;
    int opens;
    int resolution;
    int strips_done;
    int strips_wanted;
    int jams;
    int warm_ticks;
    int lamp_faults;
    int retries;
    int queue_length;
    struct queued queue[QUEUE];
    int cancelled;
    int power;
};

static struct scanner dev;
static int event;

/* ---- The kernel. ---- */

static void k_skip(void)
{
    if (law_state == NP)
        law_state = SKIP1;
    else
        law_broken();
}

static void k_routine(int number)
{
    if (law_state == NP) {
        law_state = MPR1;
        law_routine = number;
    } else {
        law_broken();
    }
}

static void k_complete(struct packet *p)
{
    if (law_state == NP) {
        law_state = DC;
        law_final = p->status;
    } else if (law_state == MPR3) {
        law_state = DC;
        law_final = p->status;
    } else if (law_state == IPC) {
        if (!law_pended)
            law_broken();
        law_state = DC;
        law_final = p->status;
    } else {
        law_broken();
    }
}

static void k_mark_pending(void)
{
    if (law_state == NP) {
        law_state = IPC;
        law_pended = 1;
    } else {
        if (law_strict)
            law_broken();
    }
}

static int on_back(struct packet *p);

static int k_send(struct packet *p)
{
    int answer = __VERIFIER_nondet_int();

    if (answer == 0)
        answer = ST_OK;
    else if (answer == 1)
        answer = ST_NO_DEVICE;
    else
        answer = ST_PENDING;
    law_below = answer;
    if (law_state == SKIP1) {
        law_state = SKIP2;
        return answer;
    }
    if (law_state == MPR1) {
        law_state = MPR2;
        if (answer == ST_PENDING)
            p->status = __VERIFIER_nondet_int() > 0 ? ST_OK : ST_NO_DEVICE;
        else
            p->status = answer;
        if (law_routine == 1) {
            if (on_back(p) == ST_KEEP) {
                law_state = MPR3;
            } else {
                law_state = DC;
                law_final = p->status;
            }
        } else {
            law_broken();
        }
        return answer;
    }
    law_broken();
    return ST_NO_DEVICE;
}

static void k_wait(void)
{
    if (law_state == MPR3) {
        if (event != 1)
            law_broken();
    } else if (law_state == MPR2) {
        law_state = MPR3;
    } else {
        law_broken();
    }
}

static int on_back(struct packet *p)
{
    if (law_state != MPR2)
        law_broken();
    if (p->status == ST_PENDING)
        p->status = ST_OK;
    event = 1;
    return ST_KEEP;
}

/* ---- Helpers. ---- */

static int finish(struct packet *p, int status, int bytes)
{
    p->status = status;
    p->bytes = bytes;
    k_complete(p);
    return status;
}

static int skip_and_send(struct packet *p)
{
    k_skip();
    return k_send(p);
}

static int send_and_wait(struct packet *p)
{
    int status;

    event = 0;
    k_routine(1);
    status = k_send(p);
    if (status == ST_PENDING)
        k_wait();
    if (event == 0)
        law_broken();
    return p->status;
}

/* ---- The lamp. ---- */

static void lamp_on(void)
{
    switch (dev.lamp) {
    case LAMP_DARK:
        dev.lamp = LAMP_WARMING;
        dev.warm_ticks = 0;
        break;
    case LAMP_FAULT:
        if (dev.lamp_faults < 2) {
            dev.lamp = LAMP_WARMING;
            dev.warm_ticks = 0;
        }
        break;
    case LAMP_WARMING:
    case LAMP_STEADY:
        break;
    default:
        law_broken();
        break;
    }
}

/* A lamp needs three ticks; a bad reading is a fault, a second fault is for good. */
static void lamp_tick(void)
{
    int reading;

    switch (dev.lamp) {
    case LAMP_DARK:
        break;
    case LAMP_WARMING:
        reading = __VERIFIER_nondet_int();
        if (reading < 0) {
            dev.lamp = LAMP_FAULT;
            dev.lamp_faults++;
            if (dev.lamp_faults > 2)
                law_broken();
        } else {
            dev.warm_ticks++;
            if (dev.warm_ticks >= 3)
                dev.lamp = LAMP_STEADY;
        }
        if (dev.warm_ticks > 3)
            law_broken();
        break;
    case LAMP_STEADY:
        if (dev.job == JOB_IDLE && __VERIFIER_nondet_int() == 7)
            dev.lamp = LAMP_DARK;
        break;
    case LAMP_FAULT:
        break;
    default:
        law_broken();
        break;
    }
}

/* ---- Jobs. ---- */

static int job_preview(void)
{
    if (dev.job != JOB_IDLE)
        return ST_BUSY;
    if (dev.lamp != LAMP_STEADY) {
        lamp_on();
        if (dev.lamp == LAMP_STEADY)
            law_broken();
        return dev.lamp == LAMP_FAULT ? ST_LAMP : ST_WARMING;
    }
    dev.job = JOB_PREVIEW;
    return ST_OK;
}

static int job_begin(int strips)
{
    if (dev.job != JOB_PREVIEW)
        return ST_BUSY;
    if (strips < 1 || strips > STRIPS)
        return ST_BAD_REQUEST;
    if (dev.resolution == 0)
        return ST_BAD_REQUEST;
    if (dev.resolution == 2400 && strips > 2)
        return ST_TOO_SMALL;
    dev.job = JOB_STRIPS;
    dev.strips_wanted = strips;
    dev.strips_done = 0;
    dev.retries = 0;
    return ST_OK;
}

static int job_eject(void)
{
    switch (dev.job) {
    case JOB_IDLE:
        return ST_BAD_REQUEST;
    case JOB_PREVIEW:
        dev.job = JOB_IDLE;
        return ST_OK;
    case JOB_STRIPS:
        if (dev.strips_done < dev.strips_wanted) {
            if (dev.retries == 0)
                return ST_BUSY;
            dev.job = JOB_IDLE;
            return ST_JAM;
        }
        dev.job = JOB_EJECT;
        return ST_OK;
    case JOB_EJECT:
        dev.job = JOB_IDLE;
        if (dev.strips_done != dev.strips_wanted)
            law_broken();
        return ST_OK;
    default:
        law_broken();
        return ST_BUSY;
    }
}

static int set_resolution(int dots)
{
    if (dots == 300 || dots == 600 || dots == 1200 || dots == 2400) {
        if (dev.job == JOB_STRIPS || dev.job == JOB_EJECT)
            return ST_BUSY;
        dev.resolution = dots;
        return ST_OK;
    }
    return ST_BAD_REQUEST;
}

/* Reads one strip. The sensor may see a jam; two jams in a row end the job. */
static int read_strip(struct packet *p)
{
    int sensor;

    if (dev.job != JOB_STRIPS)
        return ST_BAD_REQUEST;
    if (dev.lamp != LAMP_STEADY)
        return ST_LAMP;
    if (p->length < dev.resolution)
        return ST_TOO_SMALL;
    sensor = __VERIFIER_nondet_int();
    if (sensor == -1) {
        dev.retries++;
        if (dev.retries >= 2) {
            dev.jams++;
            dev.job = JOB_IDLE;
            dev.retries = 0;
        }
        return ST_JAM;
    }
    dev.retries = 0;
    dev.strips_done++;
    if (dev.strips_done > dev.strips_wanted)
        law_broken();
    if (dev.strips_done == dev.strips_wanted)
        dev.job = JOB_EJECT;
    if (dev.strips_done > STRIPS)
        law_broken();
    p->bytes = dev.resolution;
    return ST_OK;
}

static int control_status(struct packet *p)
{
    if (p->length < 8)
        return ST_TOO_SMALL;
    if (dev.jams >= 2 && dev.lamp_faults == 1)
        return ST_JAM;
    if (dev.jams > TURNS / 2)
        law_broken();
    return ST_OK;
}

static int do_control(struct packet *p)
{
    switch (p->code) {
    case CC_PREVIEW:
        return job_preview();
    case CC_BEGIN:
        return job_begin(p->length);
    case CC_EJECT:
        return job_eject();
    case CC_RESOLUTION:
        return set_resolution(p->length);
    case CC_STATUS:
        return control_status(p);
    default:
        return ST_BAD_REQUEST;
    }
}

/* ---- The queue of held packets. ---- */

static int enqueue(struct packet *p)
{
    if (dev.queue_length >= QUEUE)
        return finish(p, ST_QUEUE_FULL, 0);
    if (dev.queue_length < 0) {
        law_broken();
        return finish(p, ST_QUEUE_FULL, 0);
    }
    k_mark_pending();
    dev.queue[dev.queue_length].function = p->function;
    dev.queue[dev.queue_length].code = p->code;
    dev.queue[dev.queue_length].length = p->length;
    dev.queue_length++;
    return ST_PENDING;
}

static int work(struct packet *p)
{
    int status;

    p->bytes = 0;
    if (p->function == FN_READ)
        status = read_strip(p);
    else if (p->function == FN_CONTROL)
        status = do_control(p);
    else
        status = ST_BAD_REQUEST;
    if (status == ST_PENDING)
        law_broken();
    return status;
}

static void drain_queue(int cancel)
{
    int i;

    for (i = 0; i < dev.queue_length; i++) {
        struct packet p;

        if (i >= QUEUE) {
            law_broken();
            break;
        }
        p.function = dev.queue[i].function;
        p.minor = 0;
        p.code = dev.queue[i].code;
        p.length = dev.queue[i].length;
        p.status = ST_PENDING;
        p.bytes = 0;
        law_state = IPC;
        law_pended = 1;
        if (cancel) {
            dev.cancelled++;
            finish(&p, ST_CANCELLED, 0);
        } else {
            int status = work(&p);

            finish(&p, status, p.bytes);
        }
    }
    dev.queue_length = 0;
}

/* ---- Dispatch routines. ---- */

static int dispatch_open(struct packet *p)
{
    if (dev.state == DEV_REMOVED)
        return finish(p, ST_NO_DEVICE, 0);
    if (dev.opens >= 2)
        return finish(p, ST_BUSY, 0);
    dev.opens++;
    return finish(p, ST_OK, 0);
}

static int dispatch_close(struct packet *p)
{
    if (dev.opens == 0)
        return finish(p, ST_BAD_REQUEST, 0);
    dev.opens--;
    if (dev.opens == 0 && dev.job == JOB_PREVIEW)
        dev.job = JOB_IDLE;
    if (dev.opens < 0)
        law_broken();
    return finish(p, ST_OK, 0);
}

static int dispatch_io(struct packet *p)
{
    int status;

    if (dev.opens == 0)
        return finish(p, ST_BAD_REQUEST, 0);
    if (dev.state == DEV_REMOVED || dev.state == DEV_ADDED)
        return finish(p, ST_NO_DEVICE, 0);
    if (dev.holding)
        return enqueue(p);
    if (dev.power > 1)
        return finish(p, ST_BUSY, 0);
    if (dev.state != DEV_STARTED)
        return finish(p, ST_NO_DEVICE, 0);
    status = work(p);
    return finish(p, status, p->bytes);
}

static int dispatch_power(struct packet *p)
{
    if (p->minor == 2) {
        if (p->length < 0 || p->length > 4)
            return finish(p, ST_BAD_REQUEST, 0);
        if (dev.job == JOB_STRIPS && p->length > 1)
            return finish(p, ST_BUSY, 0);
        dev.power = p->length;
        if (dev.power > 1 && dev.lamp == LAMP_WARMING)
            dev.lamp = LAMP_DARK;
    }
    return skip_and_send(p);
}

static int pnp_start(struct packet *p)
{
    int status = send_and_wait(p);

    if (status == ST_OK) {
        dev.state = DEV_STARTED;
        dev.power = 0;
        finish(p, status, 0);
        if (dev.holding) {
            dev.holding = 0;
            drain_queue(0);
        }
        return status;
    }
    return finish(p, status, 0);
}

static int pnp_query(struct packet *p, enum device_state wanted)
{
    if (dev.state != DEV_STARTED)
        return finish(p, ST_BAD_REQUEST, 0);
    if (dev.job == JOB_STRIPS || dev.job == JOB_EJECT)
        return finish(p, ST_BUSY, 0);
    dev.before = dev.state;
    dev.state = wanted;
    dev.holding = 1;
    return skip_and_send(p);
}

static int pnp_cancel(struct packet *p, enum device_state pending)
{
    int status;

    if (dev.state != pending)
        return skip_and_send(p);
    status = send_and_wait(p);
    if (status == ST_OK) {
        if (dev.before != DEV_STARTED)
            law_broken();
        dev.state = dev.before;
        finish(p, status, 0);
        if (dev.holding) {
            dev.holding = 0;
            drain_queue(0);
        }
        return status;
    }
    return finish(p, status, 0);
}

static int pnp_remove(struct packet *p)
{
    int status = send_and_wait(p);

    dev.state = DEV_REMOVED;
    finish(p, status, 0);
    if (dev.holding) {
        dev.holding = 0;
        drain_queue(1);
    } else if (dev.queue_length != 0) {
        law_broken();
    }
    dev.job = JOB_IDLE;
    dev.lamp = LAMP_DARK;
    return status;
}

static int dispatch_pnp(struct packet *p)
{
    switch (p->minor) {
    case PNP_START:
        if (dev.state == DEV_REMOVED)
            return finish(p, ST_NO_DEVICE, 0);
        return pnp_start(p);
    case PNP_QUERY_REMOVE:
        return pnp_query(p, DEV_REMOVE_PENDING);
    case PNP_CANCEL_REMOVE:
        return pnp_cancel(p, DEV_REMOVE_PENDING);
    case PNP_REMOVE:
        return pnp_remove(p);
    case PNP_QUERY_STOP:
        return pnp_query(p, DEV_STOP_PENDING);
    case PNP_CANCEL_STOP:
        return pnp_cancel(p, DEV_STOP_PENDING);
    case PNP_STOP:
        if (dev.state != DEV_STOP_PENDING)
            return finish(p, ST_BAD_REQUEST, 0);
        dev.state = DEV_STOPPED;
        return skip_and_send(p);
    default:
        return skip_and_send(p);
    }
}

static int dispatch(struct packet *p)
{
    switch (p->function) {
    case FN_OPEN:
        return dispatch_open(p);
    case FN_CLOSE:
        return dispatch_close(p);
    case FN_READ:
    case FN_CONTROL:
        return dispatch_io(p);
    case FN_POWER:
        return dispatch_power(p);
    case FN_PNP:
        return dispatch_pnp(p);
    default:
        return skip_and_send(p);
    }
}

/* ---- The system. ---- */

static void judge(int status)
{
    if (law_state == NP) {
        law_broken();
    } else if (law_state == SKIP1) {
        law_broken();
    } else if (law_state == SKIP2) {
        if (status != law_below)
            law_broken();
    } else if (law_state == MPR1 || law_state == MPR2) {
        law_broken();
    } else if (law_state == MPR3) {
        law_broken();
    } else if (law_state == IPC) {
        if (status != ST_PENDING)
            law_broken();
        if (law_strict && !dev.holding)
            law_broken();
    } else if (law_state == DC) {
        if (status == ST_PENDING)
            law_broken();
    } else {
        law_broken();
    }
}

static void invariant(void)
{
    if (dev.holding && dev.state == DEV_STARTED)
        law_broken();
    if (dev.state == DEV_REMOVED && dev.job != JOB_IDLE)
        law_broken();
    if (dev.opens > 2)
        law_broken();
}

int main(void)
{
    int turn;

    law_open();
    dev.state = DEV_ADDED;
    for (turn = 0; turn < TURNS; turn++) {
        int what = __VERIFIER_nondet_int();

        if (what == 0)
            break;
        if (what == 1) {
            lamp_tick();
        } else if (what == 2) {
            if (dev.holding && dev.queue_length > 0)
                drain_queue(1);
        } else {
            struct packet p;

            law_packet();
            p.function = __VERIFIER_nondet_int();
            p.minor = __VERIFIER_nondet_int();
            p.code = __VERIFIER_nondet_int();
            p.length = __VERIFIER_nondet_int();
            p.status = ST_OK;
            p.bytes = 0;
            {
                int queued = dev.queue_length;
                int status = dispatch(&p);

                if (dev.queue_length == 0 && queued > 0)
                    continue; /* the queue was worked off: the law has followed its packets */
                judge(status);
            }
        }
        invariant();
    }
    return dev.cancelled > QUEUE;
}
