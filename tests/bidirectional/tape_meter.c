/* tape_meter.c: a filter driver that measures the transfers of a tape streamer.
 *
 * What it models: the second of four layered drivers, larger than ups_filter.c. Reads and writes are
 * copied to the driver below with a completion routine that measures them when they come back; start,
 * removal, usage notifications and flushes are forwarded synchronously, that is, the driver waits until
 * the completion routine has set an event. The protocol of request packets is an automaton in global
 * variables: rule_begin sets its constants once, every call of the kernel updates and checks it.
 *
 * The streamer itself is a small state machine (rewound, streaming, at a mark, at the end), followed by
 * the completion routine. A run is a session of up to EIGHT packets. */

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define OK 0
#define LATER 259
#define E_DEVICE (-1)
#define E_REQUEST (-2)
#define E_SMALL (-3)
#define E_MEMORY (-4)
#define E_GONE (-5)
#define E_MARK (-6)
#define KEEP (-7)

#define OP_READ 3
#define OP_WRITE 4
#define OP_FLUSH 9
#define OP_CONTROL 14
#define OP_SHUTDOWN 16
#define OP_POWER 22
#define OP_DEVICE 27

#define DEV_START 0
#define DEV_REMOVE 2
#define DEV_USAGE 22

#define CTL_COUNTERS 458784
#define CTL_RESET 458788
#define CTL_LIMIT 458792

#define SESSION 8

/* ---- The rules for packets. ---- */

/* Constants, set by rule_begin. */
static int HERE;   /* the driver works on the packet */
static int NEXT;   /* its stack location was copied to the next one */
static int ARMED;  /* copied, and a completion routine is set */
static int BELOW;  /* the driver below has it for good */
static int BACK;   /* it came back, and the completion routine kept it */
static int OVER;   /* it is finished */
static int PARKED; /* it is pending: the completion routine finishes it */

static int rule;
static int rule_status;     /* the status of the finished packet */
static int rule_returned;   /* what the driver below returned */
static int rule_routine;    /* the completion routine that is set: 0, 1 or 2 */
static int rule_pending;
static int rule_calls;      /* how often the driver below was called */
static int rule_limit;      /* how often it may be called for a packet; set once */

static void broken(void) { reach_error(); }

static void rule_begin(void)
{
    HERE = 10;
    NEXT = 20;
    ARMED = 30;
    BELOW = 40;
    BACK = 50;
    OVER = 60;
    PARKED = 70;
    rule_limit = 1;
}

static void rule_packet(void)
{
    rule = HERE;
    rule_status = KEEP;
    rule_returned = KEEP;
    rule_routine = 0;
    rule_pending = 0;
    rule_calls = 0;
}

/* ---- Data. ---- */

struct request {
    int op;
    int minor;
    int code;
    int length;
    int out_length;
    int position;
    int in_path;
    int status;
    int done_bytes;
};

struct counters {
    int reads;
    int writes;
    int read_kilobytes;
    int write_kilobytes;
    int split;
    int depth;
    int slow;
};

enum drive { DRIVE_OFF, DRIVE_REWOUND, DRIVE_STREAMING, DRIVE_MARK, DRIVE_END };

struct meter {
    int has_lower;
    int started;
    int paging_paths;
    int enabled;
    int limit_kilobytes;
    int over_limit;
    int power;
    int removed;
    enum drive drive;
    int marks;
    struct counters count;
};

static struct meter meter;
static int event_set;

/* ---- Calls of the kernel. ---- */

static void copy_to_next(void)
{
    if (rule != HERE)
        broken();
    rule = NEXT;
}

static void set_routine(int number)
{
    if (rule == NEXT) {
        if (rule_routine != 0)
            broken();
        rule = ARMED;
        rule_routine = number;
    } else {
        broken();
    }
}

static void mark_pending(void)
{
    if (rule == HERE || rule == ARMED) {
        if (rule_pending)
            broken();
        rule_pending = 1;
    } else {
        broken();
    }
}

static void finish_packet(struct request *r)
{
    if (rule == OVER) {
        broken();
    } else if (rule == BELOW) {
        broken();
    } else if (rule == NEXT || rule == ARMED) {
        broken();
    }
    rule = OVER;
    rule_status = r->status;
}

static int measured(struct request *r);
static int signal_back(struct request *r);

static int run_routine(struct request *r)
{
    switch (rule_routine) {
    case 1:
        return measured(r);
    case 2:
        return signal_back(r);
    default:
        broken();
        return OK;
    }
}

/* What the driver below says in the end. */
static int lower_result(struct request *r)
{
    int moved = __VERIFIER_nondet_int();

    switch (__VERIFIER_nondet_int()) {
    case 0:
        if (moved < 0 || moved > r->length)
            r->done_bytes = r->length;
        else
            r->done_bytes = moved;
        return OK;
    case 1:
        r->done_bytes = 0;
        return E_MARK;
    case 2:
        r->done_bytes = 0;
        return E_GONE;
    default:
        r->done_bytes = 0;
        return E_DEVICE;
    }
}

static int call_lower(struct request *r)
{
    int later = __VERIFIER_nondet_int() != 0;

    rule_calls++;
    if (rule_calls > rule_limit)
        broken();
    if (rule == NEXT) {
        rule = BELOW;
        rule_returned = later ? LATER : lower_result(r);
        return rule_returned;
    }
    if (rule != ARMED) {
        broken();
        return E_DEVICE;
    }
    r->status = lower_result(r);
    rule = HERE;
    if (run_routine(r) == KEEP) {
        rule = BACK;
    } else {
        if (rule == OVER)
            broken();
        rule = OVER;
        rule_status = r->status;
    }
    rule_returned = later ? LATER : r->status;
    return rule_returned;
}

static void wait_for_event(void)
{
    if (rule == BACK) {
        if (!event_set)
            broken();
    } else {
        broken();
    }
}

/* ---- Completion routines. ---- */

/* The drive moves with every transfer. */
static void follow_drive(int op, int status)
{
    switch (meter.drive) {
    case DRIVE_OFF:
        broken();
        break;
    case DRIVE_REWOUND:
        if (status == OK)
            meter.drive = DRIVE_STREAMING;
        else if (status == E_MARK && op == OP_READ)
            meter.drive = DRIVE_MARK;
        break;
    case DRIVE_STREAMING:
        if (status == E_MARK) {
            if (op == OP_WRITE)
                meter.drive = DRIVE_END;
            else
                meter.drive = DRIVE_MARK;
        }
        break;
    case DRIVE_MARK:
        meter.marks++;
        if (status == OK)
            meter.drive = DRIVE_STREAMING;
        else if (meter.marks >= 3)
            meter.drive = DRIVE_END;
        break;
    case DRIVE_END:
        if (op == OP_WRITE && status == OK)
            broken();
        break;
    default:
        broken();
        break;
    }
}

static int measured(struct request *r)
{
    int kilobytes = r->done_bytes / 1024;

    meter.count.depth--;
    if (meter.count.depth < 0) {
        broken();
        meter.count.depth = 0;
    }
    follow_drive(r->op, r->status);
    if (r->status == OK) {
        if (r->op == OP_READ) {
            meter.count.reads++;
            meter.count.read_kilobytes += kilobytes;
        } else if (r->op == OP_WRITE) {
            meter.count.writes++;
            meter.count.write_kilobytes += kilobytes;
        } else {
            broken();
        }
        if (r->done_bytes < r->length)
            meter.count.split++;
        if (r->done_bytes > r->length)
            broken();
        if (meter.limit_kilobytes > 0 &&
            meter.count.read_kilobytes + meter.count.write_kilobytes > meter.limit_kilobytes)
            meter.over_limit = 1;
    } else if (r->status == E_GONE) {
        meter.count.slow++;
    }
    return r->status;
}

static int signal_back(struct request *r)
{
    event_set = 1;
    if (rule_pending)
        broken();
    if (r->status == LATER)
        broken();
    return KEEP;
}

/* ---- Helpers of the dispatch routines. ---- */

static int finish(struct request *r, int status, int bytes)
{
    r->status = status;
    r->done_bytes = bytes;
    finish_packet(r);
    return status;
}

static int send_on(struct request *r)
{
    if (!meter.has_lower)
        return finish(r, E_GONE, 0);
    copy_to_next();
    return call_lower(r);
}

/* Sends the packet down and waits for it; it is then ours again. */
static int forward_and_wait(struct request *r)
{
    int status;

    event_set = 0;
    copy_to_next();
    set_routine(2);
    status = call_lower(r);
    if (status == LATER)
        wait_for_event();
    status = r->status;
    if (status == LATER)
        status = E_DEVICE;
    return status;
}

/* ---- Dispatch routines. ---- */

static int transfer(struct request *r)
{
    int status;

    if (!meter.started)
        return finish(r, E_GONE, 0);
    if (r->length < 0 || r->length > 65536)
        return finish(r, E_REQUEST, 0);
    if (meter.drive == DRIVE_END && r->op == OP_WRITE)
        return finish(r, E_MARK, 0);
    if (!meter.enabled)
        return send_on(r);
    if (r->length == 0)
        return finish(r, OK, 0);
    if (meter.power > 0)
        return finish(r, E_DEVICE, 0);
    meter.count.depth++;
    copy_to_next();
    set_routine(1);
    mark_pending();
    status = call_lower(r);
    if (meter.count.depth > 0)
        broken();
    if (status == KEEP)
        return E_DEVICE;
    return LATER;
}

static int flush(struct request *r)
{
    int status;

    if (meter.count.writes == 0)
        return finish(r, OK, 0);
    status = forward_and_wait(r);
    if (status == OK && meter.drive == DRIVE_STREAMING)
        meter.drive = DRIVE_REWOUND;
    return finish(r, status, 0);
}

static int control_limit(struct request *r)
{
    int wanted;

    if (r->length < 4)
        return finish(r, E_SMALL, 0);
    wanted = __VERIFIER_nondet_int();
    if (wanted < 1 || wanted > 1000000)
        return finish(r, E_REQUEST, 0);
    if (meter.over_limit && wanted <= meter.limit_kilobytes)
        return finish(r, E_REQUEST, 0);
    meter.limit_kilobytes = wanted;
    meter.over_limit = 0;
    if (meter.limit_kilobytes < 1)
        return finish(r, E_DEVICE, 0);
    return finish(r, OK, 4);
}

static int control(struct request *r)
{
    switch (r->code) {
    case CTL_COUNTERS:
        if (r->out_length < 28)
            return finish(r, E_SMALL, 0);
        if (!meter.enabled) {
            meter.enabled = 1;
            return finish(r, OK, 28);
        }
        if (meter.count.depth != 0)
            return finish(r, E_DEVICE, 0);
        if (meter.count.reads + meter.count.writes < meter.count.split)
            broken();
        return finish(r, OK, 28);
    case CTL_RESET:
        if (!meter.enabled)
            return finish(r, E_REQUEST, 0);
        meter.count.reads = 0;
        meter.count.writes = 0;
        meter.count.read_kilobytes = 0;
        meter.count.write_kilobytes = 0;
        meter.count.split = 0;
        meter.count.slow = 0;
        meter.enabled = 0;
        if (meter.over_limit)
            meter.marks = 0;
        return finish(r, OK, 0);
    case CTL_LIMIT:
        return control_limit(r);
    default:
        return send_on(r);
    }
}

static int power(struct request *r)
{
    switch (r->minor) {
    case 0:
        if (meter.power < 0)
            return finish(r, E_DEVICE, 0);
        break;
    case 2:
        if (r->length >= 1 && r->length <= 3)
            meter.power = r->length;
        else
            meter.power = 0;
        break;
    default:
        break;
    }
    if (meter.power > 3)
        return finish(r, E_DEVICE, 0);
    return send_on(r);
}

static int device_start(struct request *r)
{
    int status = forward_and_wait(r);

    if (status == OK) {
        if (!meter.started)
            meter.drive = DRIVE_REWOUND;
        meter.started = 1;
        meter.removed = 0;
    }
    return finish(r, status, 0);
}

static int device_remove(struct request *r)
{
    int status = forward_and_wait(r);

    meter.started = 0;
    meter.removed = 1;
    meter.drive = DRIVE_OFF;
    if (meter.paging_paths > 0)
        meter.paging_paths = 0;
    return finish(r, status, 0);
}

/* Paging paths are counted; the count changes only if the driver below agrees. */
static int device_usage(struct request *r)
{
    int status;
    int step = r->in_path ? 1 : -1;

    if (!meter.started)
        return finish(r, E_GONE, 0);
    if (meter.paging_paths + step < 0)
        return finish(r, E_REQUEST, 0);
    status = forward_and_wait(r);
    if (status == OK)
        meter.paging_paths += step;
    if (meter.paging_paths < 0)
        broken();
    if (meter.paging_paths > SESSION)
        broken();
    return finish(r, status, 0);
}

static int device(struct request *r)
{
    switch (r->minor) {
    case DEV_START:
        return device_start(r);
    case DEV_REMOVE:
        return device_remove(r);
    case DEV_USAGE:
        return device_usage(r);
    default:
        return send_on(r);
    }
}

static int shut_down(struct request *r)
{
    if (meter.paging_paths >= 2 && meter.over_limit)
        return finish(r, E_DEVICE, 0);
    if (meter.drive == DRIVE_END && meter.marks < 3)
        return forward_and_wait(r) == OK ? finish(r, OK, 0) : finish(r, E_MARK, 0);
    return send_on(r);
}

static int dispatch(struct request *r)
{
    switch (r->op) {
    case OP_READ:
    case OP_WRITE:
        return transfer(r);
    case OP_FLUSH:
        return flush(r);
    case OP_CONTROL:
        return control(r);
    case OP_SHUTDOWN:
        return shut_down(r);
    case OP_POWER:
        return power(r);
    case OP_DEVICE:
        return device(r);
    default:
        return send_on(r);
    }
}

/* ---- The system. ---- */

static int add_device(void)
{
    meter.has_lower = __VERIFIER_nondet_int() != 0;
    if (!meter.has_lower)
        return E_GONE;
    meter.started = 0;
    meter.enabled = 1;
    meter.drive = DRIVE_OFF;
    return OK;
}

static void check_packet(int status)
{
    if (rule == HERE) {
        broken();
    } else if (rule == BELOW) {
        if (status != rule_returned)
            broken();
        if (rule_pending)
            broken();
    } else if (rule == OVER) {
        if (rule_pending) {
            if (status != LATER)
                broken();
        } else if (status != rule_status) {
            broken();
        }
        if (rule_routine == 1 && !rule_pending)
            broken();
    } else if (rule == BACK) {
        broken();
    } else if (rule == PARKED) {
        broken();
    }
}

int main(void)
{
    struct request r;
    int n;

    rule_begin();
    if (add_device() != OK)
        return 1;
    for (n = 0; n < SESSION; n++) {
        int status;

        if (__VERIFIER_nondet_int() == 0)
            break;
        rule_packet();
        r.op = __VERIFIER_nondet_int();
        r.minor = __VERIFIER_nondet_int();
        r.code = __VERIFIER_nondet_int();
        r.length = __VERIFIER_nondet_int();
        r.out_length = __VERIFIER_nondet_int();
        r.in_path = __VERIFIER_nondet_int();
        r.position = 0;
        r.status = OK;
        r.done_bytes = 0;
        status = dispatch(&r);
        check_packet(status);
        if (meter.removed && meter.started)
            broken();
    }
    if (meter.count.slow > SESSION)
        broken();
    return meter.over_limit;
}
