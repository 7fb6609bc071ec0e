#include "handshake/pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TURNS = 64 };

static bool open_contexts(struct pair *pair, bool trace, struct error *error)
{
    for (int role = 0; role < 2; role++) {
        struct pair_side *side = &pair->sides[role];
        struct tls_settings settings =
            handshake_settings(pair->config, (enum tls_role)role, &pair->pki);
        settings.trace = trace;
        side->context = side->library->context_open(&settings, error);
        if (side->context == NULL) /* a reason names the library itself */
            return error->code == ERROR_UNAVAILABLE
                       ? false
                       : error_prefix(error, "%s", side->library->name);
    }
    return true;
}

/* The handshake that later ones resume. */
static bool prime(struct pair *pair, struct error *error)
{
    struct handshake_config full = *pair->config;
    const struct handshake_config *own = pair->config;
    if (own->resumption == TLS_RESUME_NONE)
        return true;
    struct pair_side *client = &pair->sides[TLS_CLIENT];
    full.resumption = TLS_RESUME_NONE; /* what it is checked against */
    full.early_data_bytes = 0;
    pair->config = &full;
    bool primed = pair_connect(pair, error);
    pair->config = own;
    if (primed && !client->library->keep_session(client->endpoint))
        primed =
            error_set(error, ERROR_PEER, "there is no session to resume after the first handshake");
    pair_disconnect(pair);
    return primed;
}

bool pair_open(struct pair *pair, const struct handshake_config *config, bool trace,
               struct error *error)
{
    char refusal[256];
    memset(pair, 0, sizeof *pair);
    pair->config = config;
    pair->clock = clock_real();
    for (int role = 0; role < 2; role++)
        pair->sides[role].library = config->libraries[role];
    if (handshake_refusal(config, refusal) != NULL)
        return error_set(error, ERROR_UNAVAILABLE, "%s", refusal);
    if (!handshake_pki(config, &pair->pki, error))
        return false;
    pair->pipe = malloc(sizeof *pair->pipe);
    bool opened = pair->pipe != NULL || error_set(error, ERROR_MEMORY, "no memory for a pipe");
    opened = opened && open_contexts(pair, trace, error) && prime(pair, error);
    if (!opened)
        pair_close(pair);
    return opened;
}

void pair_close(struct pair *pair)
{
    for (int role = 0; role < 2; role++)
        if (pair->sides[role].context != NULL)
            pair->sides[role].library->context_close(pair->sides[role].context);
    pki_free(&pair->pki);
    free(pair->pipe);
    memset(pair, 0, sizeof *pair);
}

/* ---- turns ---- */

/* The clocks' readings between two turns end the one and begin the other. */
static void stamp(struct pair *pair)
{
    pair->stamp_cpu_ns = clock_cpu_ns(pair->clock);
    pair->stamp_ns = clock_wall_ns(pair->clock);
}

static void end_turn(struct pair *pair, enum tls_role role, unsigned turn)
{
    uint64_t wall_ns = pair->stamp_ns;
    uint64_t cpu_ns = pair->stamp_cpu_ns;
    stamp(pair);
    unsigned kept = turn < PAIR_MOST_TURNS ? turn : PAIR_MOST_TURNS - 1;
    pair->readings[PAIR_COMPUTE_NS + (int)role] += (double)(pair->stamp_ns - wall_ns);
    pair->readings[PAIR_CPU_NS + (int)role] += (double)(pair->stamp_cpu_ns - cpu_ns);
    pair->readings[PAIR_TURN_CPU_NS + kept] += (double)(pair->stamp_cpu_ns - cpu_ns);
}

static bool open_endpoint(struct pair *pair, enum tls_role role, struct error *error)
{
    struct pair_side *side = &pair->sides[role];
    struct tls_io io = pipe_io(pair->pipe, role);
    side->endpoint = side->library->open(side->context, &io, error);
    return side->endpoint != NULL;
}

/* A failed side closes its end, so that the other fails as well and says why. */
static bool step(struct pair *pair, enum tls_role role, struct error *error)
{
    struct pair_side *side = &pair->sides[role];
    if (side->endpoint == NULL && !open_endpoint(pair, role, error))
        return false;
    if (side->done)
        return true;
    enum tls_progress progress = tls_handshake(side->library, side->endpoint, error);
    side->done = progress == TLS_DONE;
    if (progress == TLS_CLOSED)
        return error_set(error, ERROR_PEER, "the peer closed the connection");
    return progress != TLS_FAILED;
}

/* A TLS 1.3 client learns its ticket by reading; it must be given the chance, but finds no data. */
static bool read_ticket(struct pair *pair, struct error *error)
{
    struct pair_side *client = &pair->sides[TLS_CLIENT];
    unsigned char byte;
    size_t length;
    if (pair->config->protocol != TLS_1_3 || pipe_pending(pair->pipe, TLS_CLIENT) == 0)
        return true;
    return client->library->read(client->endpoint, &byte, 1, &length, error) != TLS_FAILED;
}

/* The reason of the side that failed first is the cause; what the other says is the echo. */
static bool failed(struct pair *pair, enum tls_role role, struct error *error)
{
    struct error echo = {.code = ERROR_NONE};
    enum tls_role other = role == TLS_CLIENT ? TLS_SERVER : TLS_CLIENT;
    pipe_close(pair->pipe, role);
    if (pair->sides[other].endpoint != NULL && !pair->sides[other].done)
        (void)step(pair, other, &echo);
    return error_prefix(error, "%s %s", pair->sides[role].library->name,
                        role == TLS_CLIENT ? "client" : "server");
}

/* Work of one side, so that it can be called in a surrounding. */
struct turn {
    struct pair *pair;
    enum tls_role role;
    bool good;
    struct error *error;
};

static void do_turn(void *context)
{
    struct turn *turn = context;
    struct pair *pair = turn->pair;
    bool was_done = pair->sides[TLS_CLIENT].done;
    turn->good = step(pair, turn->role, turn->error);
    if (turn->good && turn->role == TLS_CLIENT && was_done)
        turn->good = read_ticket(pair, turn->error);
}

static void do_close(void *context)
{
    struct turn *turn = context;
    struct pair_side *side = &turn->pair->sides[turn->role];
    side->library->close(side->endpoint);
    side->endpoint = NULL;
}

static void call(void (*work)(void *turn), struct turn *turn)
{
    const struct pair *pair = turn->pair;
    if (pair->around == NULL)
        work(turn);
    else
        pair->around(pair->around_context, turn->role, work, turn);
}

static bool take_turn(struct pair *pair, enum tls_role role, struct error *error)
{
    struct turn turn = {pair, role, false, error};
    pair->client_turns += role == TLS_CLIENT && !pair->sides[TLS_CLIENT].done;
    call(do_turn, &turn);
    end_turn(pair, role, pair->turns++);
    return turn.good || failed(pair, role, error);
}

static bool is_finished(const struct pair *pair)
{
    return pair->sides[TLS_CLIENT].done && pair->sides[TLS_SERVER].done &&
           pipe_pending(pair->pipe, TLS_CLIENT) == 0;
}

static bool connect_pair(struct pair *pair, struct error *error)
{
    pair->turns = pair->client_turns = 0;
    stamp(pair);
    while (pair->turns < MOST_TURNS) {
        if (!take_turn(pair, pair->turns % 2 == 0 ? TLS_CLIENT : TLS_SERVER, error))
            return false;
        if (is_finished(pair))
            return true;
    }
    return error_set(error, ERROR_PEER, "the handshake does not end");
}

static bool check_both(struct pair *pair, struct error *error)
{
    for (int role = 0; role < 2; role++) {
        struct pair_side *side = &pair->sides[role];
        side->library->negotiated(side->endpoint, &pair->negotiated[role]);
        if (!handshake_check(pair->config, &pair->negotiated[role], error))
            return error_prefix(error, "%s %s", side->library->name,
                                role == TLS_CLIENT ? "client" : "server");
    }
    return true;
}

static void prepare(struct pair *pair)
{
    pipe_init(pair->pipe, tls_protocol_is_datagram(pair->config->protocol));
    for (int role = 0; role < 2; role++) {
        pair->sides[role].endpoint = NULL;
        pair->sides[role].done = false;
    }
}

bool pair_connect(struct pair *pair, struct error *error)
{
    prepare(pair);
    return connect_pair(pair, error) && check_both(pair, error);
}

void pair_disconnect(struct pair *pair)
{
    for (int role = 0; role < 2; role++)
        call(do_close, &(struct turn){pair, (enum tls_role)role, true, NULL});
}

bool pair_handshake(struct pair *pair, struct error *error)
{
    prepare(pair);
    if (!connect_pair(pair, error) || !check_both(pair, error)) {
        pair_disconnect(pair);
        return false;
    }
    stamp(pair);
    for (int role = 0; role < 2; role++) {
        unsigned last = pair->turns - 1;
        call(do_close, &(struct turn){pair, (enum tls_role)role, true, error});
        end_turn(pair, (enum tls_role)role, last % 2 == (unsigned)role ? last : last - 1);
    }
    for (int role = 0; role < 2; role++)
        pair->readings[PAIR_BYTES + role] += (double)pair->pipe->queues[role].total_bytes;
    return true;
}

bool pair_run(void *context, uint64_t count, struct error *error)
{
    for (uint64_t i = 0; i < count; i++)
        if (!pair_handshake(context, error))
            return false;
    return true;
}

void pair_view_keep(struct pair_view *view, enum tls_role role,
                    const struct tls_negotiated *negotiated)
{
    (void)snprintf(view->negotiated[role].suite, sizeof view->negotiated[role].suite, "%s",
                   negotiated->suite);
    (void)snprintf(view->negotiated[role].group, sizeof view->negotiated[role].group, "%s",
                   negotiated->group);
    (void)snprintf(view->negotiated[role].signature, sizeof view->negotiated[role].signature, "%s",
                   negotiated->signature);
    view->negotiated[role].resumed = negotiated->resumed;
    view->negotiated[role].peer_verified = negotiated->peer_verified;
    view->negotiated[role].protocol = negotiated->protocol;
}

bool pair_observe(struct pair *pair, struct pair_view *view, struct error *error)
{
    wire_init(&view->wire, tls_protocol_is_datagram(pair->config->protocol));
    prepare(pair);
    pair->pipe->tap = wire_feed;
    pair->pipe->tap_context = &view->wire;
    bool good = connect_pair(pair, error) && check_both(pair, error);
    for (int role = 0; good && role < 2; role++)
        pair_view_keep(view, (enum tls_role)role, &pair->negotiated[role]);
    view->round_trips = pair->client_turns > 0 ? pair->client_turns - 1 : 0;
    pair_disconnect(pair);
    return good;
}
