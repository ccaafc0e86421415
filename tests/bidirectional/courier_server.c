/* courier_server.c: the server side of the handshake of a secure courier protocol.
 *
 * What it models: handshake servers of secure transports: one loop over a state variable, whose turns are
 * decided by flags of earlier turns and by the results of the network. The loop can go round for ever: a
 * peer may ask for a new handshake whenever one is done, hellos may be answered by cookies, and a keep
 * alive may come between any two messages. So the same states are met again and again, with the same
 * flags, and only the constants that the state variable can have say which branches remain: states of an
 * old version of the protocol are still in the switch, but nothing leads to them any more.
 *
 * A monitor, which is no part of the protocol, counts the phases and reports orders that must not occur. */

extern int labrys_int(const char *name);
extern void reach_error(void);

#define SV_DONE 3
#define SV_BEFORE 8192
#define SV_ACCEPT 8193
#define SV_RENEW 12292
#define SV_HELLO_IN_A 8464
#define SV_HELLO_IN_B 8465
#define SV_HELLO_IN_C 8466
#define SV_COOKIE_OUT_A 8472
#define SV_COOKIE_OUT_B 8473
#define SV_HELLO_OUT_A 8496
#define SV_HELLO_OUT_B 8497
#define SV_CERT_OUT_A 8512
#define SV_CERT_OUT_B 8513
#define SV_KEY_OUT_A 8528
#define SV_KEY_OUT_B 8529
#define SV_ASK_OUT_A 8544
#define SV_ASK_OUT_B 8545
#define SV_END_OUT_A 8560
#define SV_END_OUT_B 8561
#define SV_FLUSH 8448
#define SV_CERT_IN_A 8576
#define SV_CERT_IN_B 8577
#define SV_KEY_IN_A 8592
#define SV_KEY_IN_B 8593
#define SV_PROOF_IN_A 8608
#define SV_PROOF_IN_B 8609
#define SV_FINISH_IN_A 8640
#define SV_FINISH_IN_B 8641
#define SV_CHANGE_OUT_A 8656
#define SV_CHANGE_OUT_B 8657
#define SV_FINISH_OUT_A 8672
#define SV_FINISH_OUT_B 8673
#define SV_HELLO_REQ_A 8480
#define SV_HELLO_REQ_B 8481
#define SV_HELLO_REQ_C 8482
/* Of version 1 of the protocol, which is not spoken any more. */
#define SV_OLD_HELLO_A 16400
#define SV_OLD_HELLO_B 16401
#define SV_OLD_VERIFY 16416
#define SV_OLD_FINISH 16432

#define LATER (-1)
#define FAILED (-2)
#define OK 1

#define VERIFY_PEER 1
#define VERIFY_NEED 2
#define VERIFY_ONCE 4

#define KX_PLAIN 1
#define KX_CURVE 2
#define KX_SECRET 8

struct server {
    int state;
    int after_flush;
    int first;            /* the first handshake of the connection */
    int version;
    int hit;
    int exchange;
    int verify_mode;
    int cert_asked;
    int cert_read;
    int key_read;
    int proof_read;
    int change_done;
    int finish_read;
    int cookies;
    int keep_alives;
    int blocked;          /* how often the network would block in this call */
    int renewals;
    int session_stored;
    int options;          /* 0 in this build */
    int export_grade;     /* 0 since version 2 */
    int errors;
    int shutdown;
};

/* ---- The monitor. ---- */

static int phase;      /* 0 nothing, 1 hello read, 2 our part sent, 3 key read, 4 finish read, 5 finish sent */
static int disorder;
static int old_spoken; /* set by states of version 1 */

static void alarm_monitor(void) { reach_error(); }

static void advance(int from, int to)
{
    if (phase != from) {
        disorder++;
        if (disorder > 0)
            alarm_monitor();
    }
    phase = to;
}

/* ---- The surroundings. ---- */

/* A message or a part of it goes over the network. A keep alive may come first. */
static int transfer(struct server *s)
{
    int result = labrys_int("network");

    if (result == 77) {
        s->keep_alives++;
        if (s->keep_alives > 4)
            return FAILED;
        result = labrys_int("network after keep alive");
        if (result == 77)
            return FAILED;
    }
    if (result == 0) {
        s->blocked++;
        return LATER;
    }
    if (result < 0)
        return FAILED;
    return OK;
}

static int compute(void) { return labrys_int("compute") >= 0 ? OK : FAILED; }

/* ---- Messages. ---- */

static int read_hello(struct server *s)
{
    int ret;
    int version;

    ret = transfer(s);
    if (ret != OK)
        return ret;
    s->state = SV_HELLO_IN_C;
    version = labrys_int("version");
    if (version == 1) {
        if (s->options & 1) {
            old_spoken = 1;
            s->state = SV_OLD_HELLO_A;
            return OK;
        }
        return FAILED;
    }
    if (version < 2 || version > 4)
        return FAILED;
    if (!s->first && version != s->version)
        return FAILED;
    s->version = version;
    s->hit = 0;
    if (s->session_stored && labrys_int("session known") == 1)
        s->hit = 1;
    switch (labrys_int("suite")) {
    case 1:
        s->exchange = KX_PLAIN;
        break;
    case 2:
        s->exchange = KX_CURVE;
        break;
    case 3:
        if (s->version < 3)
            return FAILED;
        s->exchange = KX_SECRET;
        break;
    default:
        return FAILED;
    }
    return OK;
}

static int send_half(struct server *s, int a, int b)
{
    if (s->state == a) {
        if (compute() != OK)
            return FAILED;
        s->state = b;
    }
    return transfer(s);
}

static int read_certificate(struct server *s)
{
    int ret = transfer(s);
    int presented;

    if (ret != OK)
        return ret;
    s->state = SV_CERT_IN_B;
    if (!s->cert_asked)
        return FAILED;
    presented = labrys_int("presented");
    if (presented == 0) {
        if ((s->verify_mode & VERIFY_PEER) && (s->verify_mode & VERIFY_NEED))
            return FAILED;
        return OK;
    }
    if (compute() != OK)
        return FAILED;
    s->cert_read = 1;
    return OK;
}

static int read_key(struct server *s)
{
    int ret = transfer(s);

    if (ret != OK)
        return ret;
    s->state = SV_KEY_IN_B;
    if (s->exchange == KX_PLAIN) {
        if (s->export_grade)
            return FAILED;
        if (compute() != OK)
            return FAILED;
    } else if (s->exchange == KX_CURVE) {
        int point = labrys_int("point");

        if (point == 0 || point == 1)
            return FAILED;
    } else if (s->exchange == KX_SECRET) {
        if (labrys_int("identity") < 0)
            return FAILED;
    } else {
        return FAILED;
    }
    s->key_read = 1;
    return OK;
}

static int read_proof(struct server *s)
{
    int ret = transfer(s);

    if (ret != OK)
        return ret;
    s->state = SV_PROOF_IN_B;
    if (s->hit)
        return FAILED;
    if (!s->cert_read) {
        if (labrys_int("unexpected proof") != 0)
            return FAILED;
        return OK;
    }
    if (compute() != OK)
        return FAILED;
    s->proof_read = 1;
    return OK;
}

static int read_finish(struct server *s)
{
    int ret = transfer(s);

    if (ret != OK)
        return ret;
    s->state = SV_FINISH_IN_B;
    if (!s->hit && !s->key_read)
        return FAILED;
    if (s->cert_read && !s->proof_read)
        return FAILED;
    if (compute() != OK)
        return FAILED;
    s->finish_read = 1;
    return OK;
}

/* ---- The handshake. ---- */

static void begin(struct server *s)
{
    s->hit = 0;
    s->exchange = 0;
    s->cert_read = 0;
    s->key_read = 0;
    s->proof_read = 0;
    s->change_done = 0;
    s->finish_read = 0;
    s->cookies = 0;
    phase = 0;
}

/* Is a key of ours needed, besides the certificate? */
static int needs_key(const struct server *s)
{
    if (s->exchange == KX_CURVE)
        return 1;
    if (s->exchange == KX_SECRET)
        return s->version >= 4;
    if (s->exchange == KX_PLAIN && s->export_grade)
        return 1;
    return 0;
}

static int wants_certificate(struct server *s)
{
    if (!(s->verify_mode & VERIFY_PEER))
        return 0;
    if (s->exchange == KX_SECRET)
        return 0;
    if (!s->first && (s->verify_mode & VERIFY_ONCE))
        return 0;
    return 1;
}

static int server_accept(struct server *s)
{
    int ret;
    int turns = 0;

    for (;;) {
        int state = s->state;
        int skipped = 0;

        turns++;
        switch (s->state) {
        case SV_RENEW:
            s->renewals++;
            s->first = 0;
            begin(s);
            s->state = SV_HELLO_REQ_A;
            break;
        case SV_BEFORE:
        case SV_ACCEPT:
            if (!s->first)
                alarm_monitor();
            begin(s);
            s->state = SV_HELLO_IN_A;
            break;
        case SV_HELLO_REQ_A:
        case SV_HELLO_REQ_B:
            if (s->first)
                alarm_monitor();
            ret = send_half(s, SV_HELLO_REQ_A, SV_HELLO_REQ_B);
            if (ret <= 0)
                return ret;
            s->after_flush = SV_HELLO_REQ_C;
            s->state = SV_FLUSH;
            break;
        case SV_HELLO_REQ_C:
            if (labrys_int("peer refuses") == 1)
                return OK;
            s->state = SV_HELLO_IN_A;
            break;
        case SV_HELLO_IN_A:
        case SV_HELLO_IN_B:
        case SV_HELLO_IN_C:
            ret = read_hello(s);
            if (ret <= 0)
                return ret;
            if (s->state == SV_OLD_HELLO_A)
                break;
            if (labrys_int("cookie needed") == 1 && s->cookies < 2) {
                s->cookies++;
                s->state = SV_COOKIE_OUT_A;
                break;
            }
            advance(0, 1);
            s->state = SV_HELLO_OUT_A;
            break;
        case SV_COOKIE_OUT_A:
        case SV_COOKIE_OUT_B:
            if (s->cookies == 0)
                alarm_monitor();
            ret = send_half(s, SV_COOKIE_OUT_A, SV_COOKIE_OUT_B);
            if (ret <= 0)
                return ret;
            s->state = SV_HELLO_IN_A;
            break;
        case SV_HELLO_OUT_A:
        case SV_HELLO_OUT_B:
            ret = send_half(s, SV_HELLO_OUT_A, SV_HELLO_OUT_B);
            if (ret <= 0)
                return ret;
            if (s->hit)
                s->state = SV_CHANGE_OUT_A;
            else
                s->state = SV_CERT_OUT_A;
            break;
        case SV_CERT_OUT_A:
        case SV_CERT_OUT_B:
            if (s->exchange == KX_SECRET) {
                skipped = 1;
            } else {
                ret = send_half(s, SV_CERT_OUT_A, SV_CERT_OUT_B);
                if (ret <= 0)
                    return ret;
            }
            s->state = SV_KEY_OUT_A;
            break;
        case SV_KEY_OUT_A:
        case SV_KEY_OUT_B:
            if (needs_key(s)) {
                ret = send_half(s, SV_KEY_OUT_A, SV_KEY_OUT_B);
                if (ret <= 0)
                    return ret;
            } else {
                if (s->state == SV_KEY_OUT_B)
                    alarm_monitor();
                skipped = 1;
            }
            s->state = SV_ASK_OUT_A;
            break;
        case SV_ASK_OUT_A:
        case SV_ASK_OUT_B:
            if (!wants_certificate(s)) {
                skipped = 1;
                s->cert_asked = 0;
                s->state = SV_END_OUT_A;
            } else {
                s->cert_asked = 1;
                ret = send_half(s, SV_ASK_OUT_A, SV_ASK_OUT_B);
                if (ret <= 0)
                    return ret;
                s->state = SV_END_OUT_A;
            }
            break;
        case SV_END_OUT_A:
        case SV_END_OUT_B:
            ret = send_half(s, SV_END_OUT_A, SV_END_OUT_B);
            if (ret <= 0)
                return ret;
            advance(1, 2);
            s->after_flush = SV_CERT_IN_A;
            s->state = SV_FLUSH;
            break;
        case SV_FLUSH:
            if (labrys_int("to flush") > 0) {
                s->blocked++;
                return LATER;
            }
            s->state = s->after_flush;
            break;
        case SV_CERT_IN_A:
        case SV_CERT_IN_B:
            if (s->cert_asked) {
                if (s->exchange == KX_SECRET)
                    alarm_monitor();
                ret = read_certificate(s);
                if (ret <= 0)
                    return ret;
            } else {
                skipped = 1;
            }
            s->state = SV_KEY_IN_A;
            break;
        case SV_KEY_IN_A:
        case SV_KEY_IN_B:
            ret = read_key(s);
            if (ret <= 0)
                return ret;
            advance(2, 3);
            s->state = SV_PROOF_IN_A;
            break;
        case SV_PROOF_IN_A:
        case SV_PROOF_IN_B:
            ret = read_proof(s);
            if (ret <= 0)
                return ret;
            s->state = SV_FINISH_IN_A;
            break;
        case SV_FINISH_IN_A:
        case SV_FINISH_IN_B:
            ret = read_finish(s);
            if (ret <= 0)
                return ret;
            if (s->hit) {
                advance(5, 4);
                s->state = SV_DONE;
            } else {
                advance(3, 4);
                s->state = SV_CHANGE_OUT_A;
            }
            break;
        case SV_CHANGE_OUT_A:
        case SV_CHANGE_OUT_B:
            if (s->change_done)
                alarm_monitor();
            ret = send_half(s, SV_CHANGE_OUT_A, SV_CHANGE_OUT_B);
            if (ret <= 0)
                return ret;
            s->change_done = 1;
            s->state = SV_FINISH_OUT_A;
            break;
        case SV_FINISH_OUT_A:
        case SV_FINISH_OUT_B:
            if (!s->change_done)
                alarm_monitor();
            ret = send_half(s, SV_FINISH_OUT_A, SV_FINISH_OUT_B);
            if (ret <= 0)
                return ret;
            s->state = SV_FLUSH;
            if (s->hit) {
                advance(1, 5);
                s->after_flush = SV_FINISH_IN_A;
            } else {
                advance(4, 5);
                s->after_flush = SV_DONE;
            }
            break;
        case SV_DONE:
            if (s->hit) {
                if (phase != 4)
                    alarm_monitor();
            } else if (phase != 5) {
                alarm_monitor();
            }
            if (!s->finish_read)
                alarm_monitor();
            if (s->cert_read && !s->cert_asked)
                alarm_monitor();
            s->session_stored = 1;
            if (s->renewals >= 3 && s->cert_read && s->version == 4)
                return OK;
            if (labrys_int("renew") == 1) {
                s->state = SV_RENEW;
                break;
            }
            return OK;
        case SV_OLD_HELLO_A:
        case SV_OLD_HELLO_B:
            if (!old_spoken)
                alarm_monitor();
            ret = send_half(s, SV_OLD_HELLO_A, SV_OLD_HELLO_B);
            if (ret <= 0)
                return ret;
            s->state = SV_OLD_VERIFY;
            break;
        case SV_OLD_VERIFY:
            ret = transfer(s);
            if (ret <= 0)
                return ret;
            if (compute() != OK)
                return FAILED;
            s->state = SV_OLD_FINISH;
            break;
        case SV_OLD_FINISH:
            if (s->hit)
                s->session_stored = 0;
            s->state = SV_DONE;
            break;
        default:
            return FAILED;
        }
        if (skipped && s->state == state)
            alarm_monitor();
        if (s->state == SV_FLUSH && s->after_flush == SV_FLUSH)
            alarm_monitor();
        if (old_spoken)
            alarm_monitor();
        if (s->first && s->renewals > 0)
            alarm_monitor();
        if (turns > 60)
            return FAILED;
    }
}

/* A caller that comes back while the handshake would block, and gives up after the eighth time. */
#define PATIENCE 8

int main(void)
{
    static struct server s;
    int ret;

    s.state = SV_BEFORE;
    s.first = 1;
    s.options = 0;
    s.verify_mode = labrys_int("verify mode") & 7;
    if ((s.verify_mode & VERIFY_NEED) && !(s.verify_mode & VERIFY_PEER))
        s.verify_mode = 0;
    for (;;) {
        ret = server_accept(&s);
        if (ret != LATER)
            break;
        if (s.blocked >= PATIENCE)
            break;
        if (s.blocked > PATIENCE)
            alarm_monitor();
    }
    if (ret == FAILED) {
        s.errors++;
        s.shutdown = 1;
    }
    if (s.shutdown && ret == OK)
        alarm_monitor();
    return s.errors;
}
