/* ups_filter.c: a filter driver between the serial port of an uninterruptible power supply and the
 * power manager of the system.
 *
 * What it models: the smallest of four drivers that are built like those of a kernel with layered
 * drivers. The system sends request packets; a dispatch routine finishes a packet, passes it on to the
 * driver below, or holds it until the driver below has answered. Who owns the packet is a protocol: an
 * automaton in global variables (spec_state and the constants that spec_setup gives to its states)
 * follows every call of the kernel, and a call that its state does not allow is an error of the driver.
 * The driver keeps to the protocol, so most of these errors cannot happen. Everything outside of the
 * driver is non-deterministic: what is asked, what the driver below answers, what the device sends.
 *
 * A run is one session: the device is added, five packets are sent, then a burst of bytes arrives. */

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* ---- Status codes, as the kernel has them. ---- */

#define STATUS_SUCCESS 0
#define STATUS_PENDING 259
#define STATUS_UNSUCCESSFUL (-1073741823)
#define STATUS_NOT_SUPPORTED (-1073741637)
#define STATUS_INVALID_PARAMETER (-1073741811)
#define STATUS_BUFFER_TOO_SMALL (-1073741789)
#define STATUS_SHARING_VIOLATION (-1073741757)
#define STATUS_DELETE_PENDING (-1073741738)
#define STATUS_MORE_PROCESSING (-1073741802)

/* ---- Major and minor functions of packets. ---- */

#define MAJOR_CREATE 0
#define MAJOR_CLOSE 2
#define MAJOR_CONTROL 15
#define MAJOR_POWER 22
#define MAJOR_PLUG 27

#define PLUG_START 0
#define PLUG_REMOVE 2
#define PLUG_STOP 4
#define PLUG_CAPABILITIES 9
#define PLUG_SURPRISE 23

#define CONTROL_CONNECT 720899
#define CONTROL_DISCONNECT 720903
#define CONTROL_HOOK 720907
#define CONTROL_THRESHOLD 720911

/* ---- The protocol of packets. ---- */

/* The states; spec_setup gives them their numbers. */
static int OWNED;    /* the driver has the packet */
static int FINISHED; /* the driver has finished it */
static int LENT;     /* passed on without a routine: the driver below answers the system */
static int SENT;     /* the driver below has it, after LENT */
static int HOOKED;   /* a completion routine is set */
static int ANSWERED; /* the driver below has answered, and the completion routine kept the packet */
static int PARKED;   /* marked pending: the system waits for it */

static int spec_state;
static int spec_final;      /* the status with which the packet was finished */
static int spec_lower;      /* what the driver below returned */
static int spec_pending;    /* the packet was marked pending */
static int spec_hook_ran;   /* the completion routine has run */

static void spec_violation(void) { reach_error(); }

static void spec_setup(void)
{
    OWNED = 1;
    FINISHED = 2;
    LENT = 3;
    SENT = 4;
    HOOKED = 5;
    ANSWERED = 6;
    PARKED = 7;
    spec_state = 0;
}

static void spec_new_packet(void)
{
    spec_state = OWNED;
    spec_final = 1;
    spec_lower = 1;
    spec_pending = 0;
    spec_hook_ran = 0;
}

/* ---- Packets and the device. ---- */

struct packet {
    int major;
    int minor;
    int code;
    int status;
    int information;
    int input_length;
    int output_length;
    int has_type3_buffer;
};

struct connection {
    int class_device;
    int class_service;
};

struct extension {
    int started;
    int surprise_removed;
    int removed;
    int connected;
    struct connection upper;
    int hook_installed;
    int hook_context;
    int threshold;
    int open_count;
    int power_state;
};

static struct extension ups;

/* ---- The line of the device: frames "<ID LEVEL>" of its status. ---- */

#define LINE_IDLE 0
#define LINE_KIND 1
#define LINE_LEVEL 2
#define LINE_CHECK 3
#define LINE_DONE 4

static int line_state;
static int line_kind;
static int line_level;
static int line_errors;
static int line_frames;
static int alarm_raised;
static int shutdown_ordered;

/* ---- Calls of the kernel. ---- */

/* The packet goes down as it is: the driver below answers the system. */
static void kernel_skip_stack(void)
{
    if (spec_state == OWNED)
        spec_state = LENT;
    else
        spec_violation();
}

/* A completion routine is set. */
static void kernel_set_hook(void)
{
    if (spec_state == OWNED)
        spec_state = HOOKED;
    else
        spec_violation();
}

static void kernel_mark_pending(struct packet *p)
{
    if (spec_state == OWNED)
        spec_pending = 1;
    else
        spec_violation();
    p->status = STATUS_PENDING;
    spec_state = PARKED;
}

/* The packet is finished with the status that it has. */
static void kernel_complete(struct packet *p)
{
    if (spec_state == OWNED) {
        spec_state = FINISHED;
        spec_final = p->status;
    } else if (spec_state == ANSWERED) {
        spec_state = FINISHED;
        spec_final = p->status;
    } else {
        spec_violation();
    }
}

static int hook_start(struct packet *p);

/* The driver below gets the packet. It may answer now or later; it answers with success, with an error,
 * or not yet. */
static int kernel_call_lower(struct packet *p)
{
    int answer;
    int later = 0;

    switch (__VERIFIER_nondet_int()) {
    case 0:
        answer = STATUS_SUCCESS;
        break;
    case 1:
        answer = STATUS_UNSUCCESSFUL;
        break;
    default:
        answer = STATUS_PENDING;
        later = 1;
        break;
    }
    if (spec_state == LENT) {
        spec_state = SENT;
        spec_lower = answer;
        return answer;
    }
    if (spec_state == HOOKED) {
        int kept;
        if (later)
            p->status = __VERIFIER_nondet_int() ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
        else
            p->status = answer;
        kept = hook_start(p);
        if (kept == STATUS_MORE_PROCESSING) {
            spec_state = ANSWERED;
        } else {
            spec_state = FINISHED;
            spec_final = p->status;
        }
        spec_lower = answer;
        return answer;
    }
    spec_violation();
    return answer;
}

/* Waits for an event that the completion routine sets. */
static int kernel_wait(const int *event)
{
    if (spec_state == ANSWERED) {
        if (*event == 0)
            spec_violation();
        return STATUS_SUCCESS;
    }
    spec_violation();
    return STATUS_UNSUCCESSFUL;
}

/* ---- Completion. ---- */

static int start_event;

static int hook_start(struct packet *p)
{
    spec_hook_ran = 1;
    if (p->status == STATUS_PENDING)
        p->information = 0;
    start_event = 1;
    return STATUS_MORE_PROCESSING;
}

/* ---- Dispatch routines. ---- */

static int finish(struct packet *p, int status, int information)
{
    p->status = status;
    p->information = information;
    kernel_complete(p);
    return status;
}

static int pass_on(struct packet *p)
{
    kernel_skip_stack();
    return kernel_call_lower(p);
}

static int dispatch_create(struct packet *p)
{
    if (ups.removed)
        return finish(p, STATUS_DELETE_PENDING, 0);
    if (!ups.connected)
        return finish(p, STATUS_UNSUCCESSFUL, 0);
    if (ups.upper.class_service == 0)
        return finish(p, STATUS_INVALID_PARAMETER, 0);
    ups.open_count++;
    if (ups.open_count > 3)
        return finish(p, STATUS_SHARING_VIOLATION, 0);
    return pass_on(p);
}

static int dispatch_close(struct packet *p)
{
    if (ups.open_count > 0)
        ups.open_count--;
    if (ups.open_count < 0)
        ups.open_count = 0;
    return pass_on(p);
}

/* The threshold is in percent. It is refused while the line is in a frame. */
static int control_threshold(struct packet *p)
{
    int percent = __VERIFIER_nondet_int();

    if (p->input_length < 4)
        return finish(p, STATUS_BUFFER_TOO_SMALL, 0);
    if (percent < 5 || percent > 95)
        return finish(p, STATUS_INVALID_PARAMETER, 0);
    if (line_state != LINE_IDLE)
        return finish(p, STATUS_SHARING_VIOLATION, 0);
    ups.threshold = percent;
    if (ups.threshold == 0)
        ups.threshold = 20;
    return finish(p, STATUS_SUCCESS, 4);
}

static int control_connect(struct packet *p)
{
    int device;
    int service;

    if (ups.connected)
        return finish(p, STATUS_SHARING_VIOLATION, 0);
    if (p->input_length < 8)
        return finish(p, STATUS_BUFFER_TOO_SMALL, 0);
    if (!p->has_type3_buffer)
        return finish(p, STATUS_INVALID_PARAMETER, 0);
    device = __VERIFIER_nondet_int();
    service = __VERIFIER_nondet_int();
    if (service == 0)
        return finish(p, STATUS_INVALID_PARAMETER, 0);
    ups.connected = 1;
    ups.upper.class_device = device;
    ups.upper.class_service = service;
    return pass_on(p);
}

static int control_hook(struct packet *p)
{
    if (p->input_length < 12)
        return finish(p, STATUS_BUFFER_TOO_SMALL, 0);
    if (ups.hook_installed)
        return finish(p, STATUS_SHARING_VIOLATION, 0);
    if (p->input_length < 8)
        return finish(p, STATUS_INVALID_PARAMETER, 0);
    ups.hook_installed = 1;
    ups.hook_context = __VERIFIER_nondet_int();
    if (!ups.connected)
        ups.hook_context = 0;
    return finish(p, STATUS_SUCCESS, 0);
}

static int dispatch_control(struct packet *p)
{
    if (!ups.started)
        return finish(p, STATUS_UNSUCCESSFUL, 0);
    switch (p->code) {
    case CONTROL_CONNECT:
        return control_connect(p);
    case CONTROL_DISCONNECT:
        /* Nobody disconnects: the class driver stays for the life of the device. */
        return finish(p, STATUS_NOT_SUPPORTED, 0);
    case CONTROL_HOOK:
        return control_hook(p);
    case CONTROL_THRESHOLD:
        return control_threshold(p);
    default:
        break;
    }
    if (p->output_length > 0 && p->has_type3_buffer)
        return finish(p, STATUS_NOT_SUPPORTED, 0);
    return pass_on(p);
}

static int power_hold(struct packet *p)
{
    kernel_mark_pending(p);
    if (spec_pending == 0)
        spec_violation();
    return STATUS_PENDING;
}

static int dispatch_power(struct packet *p)
{
    switch (p->minor) {
    case 1: /* wait and wake */
        if (ups.hook_installed && ups.power_state == 0)
            return power_hold(p);
        break;
    case 2: /* set power */
        if (p->input_length > 0)
            ups.power_state = 3;
        else
            ups.power_state = 0;
        break;
    case 3: /* query power */
        if (ups.power_state > 3)
            return finish(p, STATUS_UNSUCCESSFUL, 0);
        break;
    default:
        break;
    }
    return pass_on(p);
}

/* The device starts when the driver below has started it. */
static int plug_start(struct packet *p)
{
    int status;

    start_event = 0;
    kernel_set_hook();
    status = kernel_call_lower(p);
    if (status == STATUS_PENDING) {
        if (!spec_hook_ran)
            spec_violation();
        if (kernel_wait(&start_event) != STATUS_SUCCESS)
            status = STATUS_UNSUCCESSFUL;
    }
    status = p->status;
    if (status >= 0) {
        ups.started = 1;
        ups.removed = 0;
        ups.surprise_removed = 0;
        if (ups.threshold == 0)
            ups.threshold = 20;
    }
    p->information = 0;
    kernel_complete(p);
    return status;
}

static int dispatch_plug(struct packet *p)
{
    switch (p->minor) {
    case PLUG_START:
        return plug_start(p);
    case PLUG_SURPRISE:
        ups.surprise_removed = 1;
        ups.started = 0;
        return pass_on(p);
    case PLUG_REMOVE: {
        int status;
        ups.removed = 1;
        status = pass_on(p);
        if (ups.open_count > 0 && !ups.surprise_removed)
            ups.open_count = 0;
        ups.started = 0;
        return status;
    }
    case PLUG_STOP:
        ups.started = 0;
        return pass_on(p);
    case PLUG_CAPABILITIES:
        if (p->output_length < 16)
            return finish(p, STATUS_BUFFER_TOO_SMALL, 0);
        return pass_on(p);
    default:
        return pass_on(p);
    }
}

static int dispatch(struct packet *p)
{
    int status;

    switch (p->major) {
    case MAJOR_CREATE:
        status = dispatch_create(p);
        break;
    case MAJOR_CLOSE:
        status = dispatch_close(p);
        break;
    case MAJOR_CONTROL:
        status = dispatch_control(p);
        break;
    case MAJOR_POWER:
        status = dispatch_power(p);
        break;
    case MAJOR_PLUG:
        status = dispatch_plug(p);
        break;
    default:
        status = pass_on(p);
        break;
    }
    return status;
}

/* What the system checks when a dispatch routine has returned. */
static void check_after_dispatch(int status)
{
    if (spec_state == OWNED) {
        spec_violation();
    } else if (spec_state == PARKED) {
        if (status != STATUS_PENDING)
            spec_violation();
    } else if (spec_state == SENT) {
        if (status != spec_lower)
            spec_violation();
    } else if (spec_state == FINISHED) {
        if (status == STATUS_PENDING)
            spec_violation();
        else if (status != spec_final)
            spec_violation();
    } else {
        spec_violation();
    }
    if (spec_pending && spec_state != PARKED)
        spec_violation();
}

/* ---- The bytes of the device. ---- */

static void frame_done(void)
{
    line_frames++;
    if (line_kind == 'B') {
        if (line_level < ups.threshold) {
            alarm_raised++;
            if (alarm_raised >= 2 && ups.hook_installed)
                shutdown_ordered = 1;
        } else if (alarm_raised > 0) {
            alarm_raised--;
        }
    } else if (line_kind == 'L') {
        if (line_level > 110)
            alarm_raised = 3;
    } else {
        line_errors++;
    }
}

static void line_byte(int byte)
{
    switch (line_state) {
    case LINE_IDLE:
        if (byte == '<')
            line_state = LINE_KIND;
        else
            line_errors++;
        break;
    case LINE_KIND:
        if (byte != 'B' && byte != 'L') {
            line_errors++;
            line_state = LINE_IDLE;
        } else {
            line_kind = byte;
            line_state = LINE_LEVEL;
        }
        break;
    case LINE_LEVEL:
        if (byte < 0 || byte > 100) {
            line_errors++;
            line_state = LINE_IDLE;
        } else {
            line_level = byte;
            line_state = LINE_CHECK;
        }
        break;
    case LINE_CHECK:
        if (byte == '>') {
            line_state = LINE_DONE;
            frame_done();
            line_state = LINE_IDLE;
        } else {
            line_errors += 2;
            line_state = LINE_IDLE;
        }
        break;
    case LINE_DONE:
        line_errors++;
        line_state = LINE_IDLE;
        break;
    default:
        line_state = LINE_IDLE;
        break;
    }
}

#define BURST 12
#define PACKETS 5

static int receive_burst(void)
{
    int i;

    if (!ups.started)
        return 0;
    for (i = 0; i < BURST; i++) {
        line_byte(__VERIFIER_nondet_int());
        if (line_errors > 3)
            return -1;
        if (shutdown_ordered) {
            if (line_frames < 2)
                spec_violation();
            return 1;
        }
    }
    if (line_frames > BURST / 4)
        spec_violation();
    return 0;
}

/* ---- A session. ---- */

int main(void)
{
    struct packet p;
    int n;
    int outcome;

    spec_setup();
    for (n = 0; n < PACKETS; n++) {
        int status;

        spec_new_packet();
        p.major = __VERIFIER_nondet_int();
        p.minor = __VERIFIER_nondet_int();
        p.code = __VERIFIER_nondet_int();
        p.input_length = __VERIFIER_nondet_int();
        p.output_length = __VERIFIER_nondet_int();
        p.has_type3_buffer = __VERIFIER_nondet_int();
        p.status = STATUS_SUCCESS;
        p.information = 0;
        status = dispatch(&p);
        check_after_dispatch(status);
    }
    outcome = receive_burst();
    if (outcome == 1 && !ups.started)
        spec_violation();
    return outcome < 0;
}
