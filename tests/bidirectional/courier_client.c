/* courier_client.c: the client side of the handshake of a secure courier protocol.
 *
 * What it models: handshake clients of secure transports, which are one loop over a state variable. Each
 * turn of the loop looks at the state, calls the network or a cryptographic routine, and moves to the next
 * state; a message that cannot be sent or read yet ends the call, and the caller comes back later with the
 * same state. Flags that are set in one state (a session is resumed, the server wants a certificate, a
 * retry was asked for) decide many turns later. A monitor, which is no part of the protocol, counts how
 * far the handshake has come and reports orders of messages that must not occur.
 *
 * Results of the network and of cryptographic routines are inputs. The handshake may be repeated as often
 * as the peer asks for it. */

extern int labrys_int(const char *name);
extern void reach_error(void);

/* ---- States; the two halves of a message are A and B, as a write may block between them. ---- */

#define ST_DONE 3
#define ST_BEFORE 4096
#define ST_RENEW 4097
#define ST_HELLO_OUT_A 4112
#define ST_HELLO_OUT_B 4113
#define ST_RETRY_IN_A 4120
#define ST_RETRY_IN_B 4121
#define ST_HELLO_IN_A 4128
#define ST_HELLO_IN_B 4129
#define ST_CERT_IN_A 4144
#define ST_CERT_IN_B 4145
#define ST_KEY_IN_A 4160
#define ST_KEY_IN_B 4161
#define ST_ASK_IN_A 4176
#define ST_ASK_IN_B 4177
#define ST_END_IN_A 4192
#define ST_END_IN_B 4193
#define ST_CERT_OUT_A 4208
#define ST_CERT_OUT_B 4209
#define ST_CERT_OUT_C 4210
#define ST_CERT_OUT_D 4211
#define ST_KEY_OUT_A 4224
#define ST_KEY_OUT_B 4225
#define ST_PROOF_OUT_A 4240
#define ST_PROOF_OUT_B 4241
#define ST_CHANGE_OUT_A 4256
#define ST_CHANGE_OUT_B 4257
#define ST_FINISH_OUT_A 4272
#define ST_FINISH_OUT_B 4273
#define ST_TICKET_IN_A 4288
#define ST_TICKET_IN_B 4289
#define ST_FINISH_IN_A 4304
#define ST_FINISH_IN_B 4305
#define ST_FLUSH 4352

/* What a call returns. */
#define RET_DONE 1
#define RET_LATER (-1)
#define RET_FAILED (-2)

/* Kinds of key exchange. */
#define KX_PLAIN 1
#define KX_CURVE 2
#define KX_ANONYMOUS 4

#define VERSION_2 0x0200
#define VERSION_3 0x0300

struct session {
    int id;
    int version;
    int resumable;
    int tickets;
};

struct client {
    int state;
    int next_state;    /* after a flush */
    int version;
    int hit;           /* the session is resumed */
    int exchange;
    int wants_cert;    /* 0 no, 1 asked for, 2 we have none */
    int got_key;
    int change_sent;
    int finish_sent;
    int finish_read;
    int retries;
    int renewals;
    int ticket_expected;
    int in_handshake;
    int shutdown;
    int buffer_full;
    int pending_bytes;
    int alerts;
    int quiet;         /* no information callback; set once */
    struct session session;
};

/* ---- The monitor. ---- */

static int monitor;         /* 0 start, 1 hello sent, 2 hello read, 3 keys, 4 our finish, 5 all */
static int monitor_order;   /* messages in the wrong order */
static int monitor_limit;   /* set once */

static void monitor_alarm(void) { reach_error(); }

static void monitor_step(int from, int to)
{
    if (monitor == from)
        monitor = to;
    else
        monitor_order++;
    if (monitor_order > monitor_limit)
        monitor_alarm();
}

/* ---- The surroundings. ---- */

/* The result of a network routine: below zero it failed, zero it would block. */
static int network(void)
{
    int result = labrys_int("network");

    if (result > 1)
        return 1;
    if (result < -1)
        return -1;
    return result;
}

static int crypto(void) { return labrys_int("crypto") != 0; }

/* The information callback of the application. */
static void inform(struct client *c, int where)
{
    if (c->quiet) {
        if (where == 99)
            c->alerts++;
        return;
    }
    c->alerts += where;
}

/* ---- Messages. ---- */

static int send_hello(struct client *c)
{
    int ret;

    if (c->state == ST_HELLO_OUT_A) {
        if (c->session.resumable && c->session.version != c->version)
            c->session.resumable = 0;
        if (!crypto())
            return RET_FAILED;
        c->state = ST_HELLO_OUT_B;
    }
    if (c->state != ST_HELLO_OUT_B)
        monitor_alarm();
    ret = network();
    if (ret <= 0)
        return ret < 0 ? RET_FAILED : RET_LATER;
    return RET_DONE;
}

/* The server may answer with a retry, once or twice, for which we have to begin again. */
static int read_retry(struct client *c)
{
    int ret = network();

    if (ret <= 0)
        return ret < 0 ? RET_FAILED : RET_LATER;
    c->state = ST_RETRY_IN_B;
    if (labrys_int("retry") == 1) {
        c->retries++;
        if (c->retries > 2)
            return RET_FAILED;
        return 2;
    }
    return RET_DONE;
}

static int read_hello(struct client *c)
{
    int ret = network();
    int version;
    int suite;

    if (ret <= 0)
        return ret < 0 ? RET_FAILED : RET_LATER;
    c->state = ST_HELLO_IN_B;
    version = labrys_int("version");
    if (version != VERSION_2 && version != VERSION_3)
        return RET_FAILED;
    if (version > c->version)
        return RET_FAILED;
    c->version = version;
    if (c->version < VERSION_2)
        return RET_FAILED;
    c->hit = 0;
    if (c->session.resumable && labrys_int("session id") == c->session.id) {
        if (c->session.version != c->version)
            return RET_FAILED;
        c->hit = 1;
    }
    suite = labrys_int("suite");
    switch (suite) {
    case 10:
        c->exchange = KX_PLAIN;
        break;
    case 11:
    case 12:
        c->exchange = KX_CURVE;
        break;
    case 52:
        if (c->version == VERSION_3)
            return RET_FAILED;
        c->exchange = KX_ANONYMOUS;
        break;
    default:
        return RET_FAILED;
    }
    c->ticket_expected = c->version == VERSION_3 && labrys_int("ticket") == 1;
    return RET_DONE;
}

static int read_certificate(struct client *c)
{
    int ret = network();

    if (ret <= 0)
        return ret < 0 ? RET_FAILED : RET_LATER;
    c->state = ST_CERT_IN_B;
    if (c->hit)
        monitor_alarm();
    if (!crypto())
        return RET_FAILED;
    return RET_DONE;
}

static int read_key(struct client *c)
{
    int ret = network();

    if (ret <= 0)
        return ret < 0 ? RET_FAILED : RET_LATER;
    c->state = ST_KEY_IN_B;
    if (c->exchange == KX_PLAIN) {
        /* A plain exchange has no key of the server; the message belongs to the next state. */
        if (labrys_int("unexpected key") != 0)
            return RET_FAILED;
        return RET_DONE;
    }
    if (c->exchange != KX_CURVE && c->exchange != KX_ANONYMOUS)
        return RET_FAILED;
    c->got_key = 1;
    if (!crypto())
        return RET_FAILED;
    return RET_DONE;
}

static int read_ask(struct client *c)
{
    int ret = network();

    if (ret <= 0)
        return ret < 0 ? RET_FAILED : RET_LATER;
    c->state = ST_ASK_IN_B;
    if (labrys_int("ask") == 1) {
        if (c->exchange == KX_ANONYMOUS)
            return RET_FAILED;
        c->wants_cert = 1;
    }
    return RET_DONE;
}

static int read_end(struct client *c)
{
    int ret = network();

    if (ret <= 0)
        return ret < 0 ? RET_FAILED : RET_LATER;
    c->state = ST_END_IN_B;
    if (c->exchange == KX_CURVE && !c->got_key)
        return RET_FAILED;
    return RET_DONE;
}

/* Our certificate: chosen by the application (A, B), encoded (C), sent (D). */
static int send_certificate(struct client *c)
{
    int ret;

    if (c->state == ST_CERT_OUT_A) {
        int chosen = labrys_int("chosen certificate");

        if (chosen < 0) {
            c->state = ST_CERT_OUT_B;
            return RET_LATER;
        }
        if (chosen == 0) {
            if (c->version == VERSION_2) {
                c->wants_cert = 0;
                c->alerts++;
                return RET_DONE;
            }
            c->wants_cert = 2;
        }
        c->state = ST_CERT_OUT_C;
    }
    if (c->state == ST_CERT_OUT_B) {
        if (labrys_int("chosen later") == 0)
            c->wants_cert = 2;
        c->state = ST_CERT_OUT_C;
    }
    if (c->state == ST_CERT_OUT_C) {
        if (c->wants_cert == 0)
            monitor_alarm();
        c->state = ST_CERT_OUT_D;
    }
    if (c->state != ST_CERT_OUT_D)
        monitor_alarm();
    ret = network();
    if (ret <= 0)
        return ret < 0 ? RET_FAILED : RET_LATER;
    return RET_DONE;
}

static int send_key(struct client *c)
{
    int ret;

    if (c->state == ST_KEY_OUT_A) {
        switch (c->exchange) {
        case KX_PLAIN:
            if (c->got_key)
                return RET_FAILED;
            break;
        case KX_CURVE:
            if (!c->got_key)
                return RET_FAILED;
            break;
        case KX_ANONYMOUS:
            if (c->wants_cert)
                return RET_FAILED;
            break;
        default:
            return RET_FAILED;
        }
        if (!crypto())
            return RET_FAILED;
        c->state = ST_KEY_OUT_B;
    }
    ret = network();
    if (ret <= 0)
        return ret < 0 ? RET_FAILED : RET_LATER;
    return RET_DONE;
}

static int send_small(struct client *c, int half_a, int half_b)
{
    int ret;

    if (c->state == half_a)
        c->state = half_b;
    ret = network();
    if (ret <= 0)
        return ret < 0 ? RET_FAILED : RET_LATER;
    return RET_DONE;
}

static int read_finish(struct client *c)
{
    int ret = network();

    if (ret <= 0)
        return ret < 0 ? RET_FAILED : RET_LATER;
    c->state = ST_FINISH_IN_B;
    if (!c->change_sent && !c->hit)
        return RET_FAILED;
    if (!crypto())
        return RET_FAILED;
    c->finish_read = 1;
    return RET_DONE;
}

static int read_ticket(struct client *c)
{
    int ret = network();

    if (ret <= 0)
        return ret < 0 ? RET_FAILED : RET_LATER;
    c->state = ST_TICKET_IN_B;
    if (c->version != VERSION_3)
        return RET_FAILED;
    c->session.tickets++;
    if (c->session.tickets > 3)
        c->session.tickets = 3;
    return RET_DONE;
}

/* ---- The handshake. ---- */

static void begin(struct client *c)
{
    c->in_handshake = 1;
    c->hit = 0;
    c->exchange = 0;
    c->wants_cert = 0;
    c->got_key = 0;
    c->change_sent = 0;
    c->finish_sent = 0;
    c->finish_read = 0;
    c->retries = 0;
    c->ticket_expected = 0;
    monitor = 0;
}

static int client_connect(struct client *c)
{
    int ret = RET_FAILED;

    if (c->shutdown)
        return RET_FAILED;
    for (;;) {
        int state = c->state;

        switch (c->state) {
        case ST_RENEW:
            c->renewals++;
            if (c->renewals > 3)
                return RET_FAILED;
            c->state = ST_BEFORE;
            c->version = c->session.version;
            break;
        case ST_BEFORE:
            if (c->version != VERSION_2 && c->version != VERSION_3)
                return RET_FAILED;
            begin(c);
            c->state = ST_HELLO_OUT_A;
            inform(c, 1);
            break;
        case ST_HELLO_OUT_A:
        case ST_HELLO_OUT_B:
            c->shutdown = 0;
            ret = send_hello(c);
            if (ret <= 0)
                return ret;
            if (c->retries == 0)
                monitor_step(0, 1);
            c->state = c->hit ? ST_FINISH_IN_A : ST_RETRY_IN_A;
            break;
        case ST_RETRY_IN_A:
        case ST_RETRY_IN_B:
            ret = read_retry(c);
            if (ret <= 0)
                return ret;
            c->state = ret == 2 ? ST_HELLO_OUT_A : ST_HELLO_IN_A;
            break;
        case ST_HELLO_IN_A:
        case ST_HELLO_IN_B:
            ret = read_hello(c);
            if (ret <= 0)
                return ret;
            monitor_step(1, 2);
            if (c->hit) {
                if (c->ticket_expected)
                    c->state = ST_TICKET_IN_A;
                else
                    c->state = ST_FINISH_IN_A;
            } else {
                c->state = ST_CERT_IN_A;
            }
            break;
        case ST_CERT_IN_A:
        case ST_CERT_IN_B:
            if (c->exchange == KX_ANONYMOUS) {
                if (state == ST_CERT_IN_B)
                    monitor_alarm();
                c->state = ST_KEY_IN_A;
                break;
            }
            ret = read_certificate(c);
            if (ret <= 0)
                return ret;
            c->state = ST_KEY_IN_A;
            break;
        case ST_KEY_IN_A:
        case ST_KEY_IN_B:
            ret = read_key(c);
            if (ret <= 0)
                return ret;
            c->state = ST_ASK_IN_A;
            break;
        case ST_ASK_IN_A:
        case ST_ASK_IN_B:
            ret = read_ask(c);
            if (ret <= 0)
                return ret;
            c->state = ST_END_IN_A;
            break;
        case ST_END_IN_A:
        case ST_END_IN_B:
            ret = read_end(c);
            if (ret <= 0)
                return ret;
            if (c->wants_cert)
                c->state = ST_CERT_OUT_A;
            else
                c->state = ST_KEY_OUT_A;
            break;
        case ST_CERT_OUT_A:
        case ST_CERT_OUT_B:
        case ST_CERT_OUT_C:
        case ST_CERT_OUT_D:
            ret = send_certificate(c);
            if (ret <= 0)
                return ret;
            c->state = ST_KEY_OUT_A;
            break;
        case ST_KEY_OUT_A:
        case ST_KEY_OUT_B:
            ret = send_key(c);
            if (ret <= 0)
                return ret;
            monitor_step(2, 3);
            if (c->wants_cert == 1) {
                c->state = ST_PROOF_OUT_A;
            } else {
                c->state = ST_CHANGE_OUT_A;
                c->change_sent = 0;
            }
            break;
        case ST_PROOF_OUT_A:
        case ST_PROOF_OUT_B:
            if (c->wants_cert != 1)
                monitor_alarm();
            ret = send_small(c, ST_PROOF_OUT_A, ST_PROOF_OUT_B);
            if (ret <= 0)
                return ret;
            c->state = ST_CHANGE_OUT_A;
            c->change_sent = 0;
            break;
        case ST_CHANGE_OUT_A:
        case ST_CHANGE_OUT_B:
            ret = send_small(c, ST_CHANGE_OUT_A, ST_CHANGE_OUT_B);
            if (ret <= 0)
                return ret;
            c->change_sent = 1;
            c->state = ST_FINISH_OUT_A;
            if (!crypto())
                return RET_FAILED;
            break;
        case ST_FINISH_OUT_A:
        case ST_FINISH_OUT_B:
            if (!c->change_sent)
                monitor_alarm();
            ret = send_small(c, ST_FINISH_OUT_A, ST_FINISH_OUT_B);
            if (ret <= 0)
                return ret;
            c->finish_sent = 1;
            c->state = ST_FLUSH;
            if (c->hit) {
                if (!c->finish_read)
                    monitor_alarm();
                monitor_step(4, 5);
                c->next_state = ST_DONE;
            } else {
                monitor_step(3, 4);
                if (c->ticket_expected)
                    c->next_state = ST_TICKET_IN_A;
                else
                    c->next_state = ST_FINISH_IN_A;
            }
            break;
        case ST_TICKET_IN_A:
        case ST_TICKET_IN_B:
            if (!c->ticket_expected)
                monitor_alarm();
            ret = read_ticket(c);
            if (ret <= 0)
                return ret;
            c->state = ST_FINISH_IN_A;
            break;
        case ST_FINISH_IN_A:
        case ST_FINISH_IN_B:
            ret = read_finish(c);
            if (ret <= 0)
                return ret;
            if (c->hit) {
                if (monitor == 2)
                    monitor = 4;
                c->state = ST_CHANGE_OUT_A;
            } else {
                monitor_step(4, 5);
                c->state = ST_DONE;
            }
            break;
        case ST_FLUSH:
            c->pending_bytes = labrys_int("pending bytes");
            if (c->pending_bytes > 0) {
                c->buffer_full = 1;
                return RET_LATER;
            }
            c->buffer_full = 0;
            c->state = c->next_state;
            break;
        case ST_DONE:
            if (monitor != 5)
                monitor_alarm();
            if (!c->finish_sent || !c->finish_read)
                monitor_alarm();
            c->in_handshake = 0;
            c->session.version = c->version;
            c->session.resumable = 1;
            if (!c->hit)
                c->session.id = labrys_int("new session");
            inform(c, 2);
            if (labrys_int("renew") == 1) {
                c->state = ST_RENEW;
                break;
            }
            return RET_DONE;
        default:
            return RET_FAILED;
        }
        if (c->buffer_full && c->state != ST_FLUSH)
            monitor_alarm();
        if (c->state == state && c->retries > 2)
            monitor_alarm();
    }
}

/* A caller that comes back up to CALLS times while the handshake would block. */
#define CALLS 6

int main(void)
{
    static struct client c;
    int calls;
    int ret = RET_LATER;

    monitor_limit = 0;
    c.quiet = 1;
    c.version = labrys_int("newest") == 2 ? VERSION_2 : VERSION_3;
    c.session.version = c.version;
    c.state = ST_BEFORE;
    for (calls = 0; calls < CALLS; calls++) {
        ret = client_connect(&c);
        if (ret == RET_FAILED) {
            c.shutdown = 1;
            break;
        }
        if (ret == RET_DONE) {
            if (c.in_handshake)
                monitor_alarm();
            break;
        }
        if (ret != RET_LATER)
            monitor_alarm();
    }
    if (ret == RET_DONE && c.renewals == 3 && c.session.tickets == 3)
        return 3;
    return ret == RET_DONE ? 0 : 1;
}
