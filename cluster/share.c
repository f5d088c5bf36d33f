// The lead hands out units and gathers results, and everybody else asks it for more. In every
// process one thread works, and the one that is here listens:
//
//     lead                                    member
//     hand out, gather, show  <- READY -      wait
//     |                       -- UNIT  ->     |
//     its own hand works      <- RESULT -     its own hand works
//
// Nobody waits inside of MPI, where Open MPI would keep a core busy: it looks, and sleeps a little.
#include "cluster/share.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/hand.h"
#include "cluster/link.h"

// A pause that doubles while there is nothing new.
#define PAUSE_LEAST 50e-6
#define PAUSE_MOST  1e-3

// s that the lead waits for the others once it was asked to stop: Open MPI kills all after a second
// or so.
#define PATIENCE 3.0

enum { LEAD = 0 };

static void send(int to, link_tag tag, int64_t value)
{
    link_send(to, &(link_message){.tag = tag, .value = value});
}

void share_send_all(int tag, int64_t value)
{
    for (int i = 1; i < cluster_size(); i++) {
        send(i, (link_tag)tag, value);
    }
}

static double next_pause(double pause, bool news)
{
    if (news) {
        return PAUSE_LEAST;
    }
    return pause * 2 < PAUSE_MOST ? pause * 2 : PAUSE_MOST;
}

// ---------------------------------------------------------------------------------------------
// The lead.

typedef enum member_state { MEMBER_AWAY, MEMBER_IDLE, MEMBER_BUSY } member_state;

typedef struct lead {
    ledger *ledger;
    hand own;
    int64_t number;
    member_state *members; // of all processes; the first is the lead's own hand
    int there, busy;
    int code;       // CLUSTER_ON until something ends the work
    bool all_given; // no unit is left
    double halted;  // now_seconds() when everybody was told to end; 0: nobody was
} lead;

// End the work with a code, if nothing has ended it before.
static void end_with(lead *d, int code)
{
    d->code = d->code == CLUSTER_ON ? code : d->code;
}

// A process has come back from a unit.
static void came_back(lead *d, int member)
{
    d->busy -= d->members[member] == MEMBER_BUSY;
    d->members[member] = MEMBER_IDLE;
}

static void hear_message(lead *d, link_message *m)
{
    switch (m->tag) {
    case LINK_READY:
        if (m->value == d->number && d->members[m->from] == MEMBER_AWAY) {
            d->there++;
            d->members[m->from] = MEMBER_IDLE;
        }
        break;
    case LINK_RESULT:
        came_back(d, m->from);
        end_with(d, ledger_add(d->ledger, m->value, m->text, m->length));
        m->text = NULL;
        break;
    case LINK_CUT:
        came_back(d, m->from);
        end_with(d, CLUSTER_CUT);
        break;
    case LINK_FAILED:
        came_back(d, m->from);
        end_with(d, (int)m->value);
        break;
    case LINK_UNIT:
    case LINK_TELL:
    case LINK_HALT:
    case LINK_DONE:
    case LINK_QUIT:
        break; // nobody sends these to the lead
    }
    free(m->text);
}

// Take what has come; true if something has.
static bool gather(lead *d)
{
    link_message message;
    hand_result own;
    bool news = false;
    while (link_poll(&message)) {
        hear_message(d, &message);
        news = true;
    }
    if (hand_poll(&d->own, &own)) {
        came_back(d, LEAD);
        end_with(d, own.code == CLUSTER_ON ? ledger_add(d->ledger, own.unit, own.text, own.length)
                                           : own.code);
        news = true;
    }
    return news;
}

static void give(lead *d, int member, int64_t unit)
{
    if (member == LEAD) {
        hand_give(&d->own, unit);
    } else {
        send(member, LINK_UNIT, unit);
    }
    d->members[member] = MEMBER_BUSY;
    d->busy++;
}

// Everybody who is idle gets a unit, as long as there is one.
static void hand_out(lead *d)
{
    if (d->ledger->work->together && d->there < cluster_size()) {
        return;
    }
    for (int i = 0; i < cluster_size() && !d->all_given; i++) {
        if (d->members[i] == MEMBER_IDLE) {
            int64_t unit = ledger_next(d->ledger);
            d->all_given = unit < 0;
            if (unit >= 0) {
                give(d, i, unit);
            }
        }
    }
}

// What is under way ends without a result: something failed, or is enough, or a signal came.
static void halt(lead *d)
{
    d->halted = now_seconds();
    share_send_all(LINK_HALT, 0);
    cluster_halt();
}

static bool is_over(const lead *d)
{
    bool idle = d->busy == 0 && (d->all_given || d->code != CLUSTER_ON);
    return idle || (d->halted > 0 && now_seconds() > d->halted + PATIENCE);
}

static void lead_on(lead *d)
{
    double pause = PAUSE_LEAST;
    while (!is_over(d)) {
        bool news = gather(d);
        if (stop_asked(NULL)) {
            end_with(d, CLUSTER_CUT);
        }
        if (d->code == CLUSTER_ON) {
            hand_out(d);
        } else if (d->halted == 0) {
            halt(d);
        }
        ledger_show(d->ledger);
        pause = next_pause(pause, news);
        hand_wait(&d->own, pause);
    }
}

int share_lead(ledger *l, int64_t number)
{
    lead d = {.ledger = l, .number = number, .code = CLUSTER_ON, .there = 1};
    d.members = calloc((size_t)cluster_size(), sizeof *d.members);
    if (!d.members || !hand_begin(&d.own, l->work)) {
        free(d.members);
        share_send_all(LINK_DONE, EXIT_INTERNAL);
        return EXIT_INTERNAL;
    }
    d.members[LEAD] = MEMBER_IDLE;
    lead_on(&d);
    hand_end(&d.own);
    share_send_all(LINK_DONE, d.code);
    free(d.members);
    return d.code;
}

// ---------------------------------------------------------------------------------------------
// The others.

typedef struct member {
    hand own;
    bool over;
    int code;
} member;

static void obey(member *m, const link_message *message)
{
    switch (message->tag) {
    case LINK_UNIT:
        hand_give(&m->own, message->value);
        break;
    case LINK_TELL:
        cluster_tell(message->value);
        break;
    case LINK_HALT:
        cluster_halt();
        break;
    case LINK_DONE:
        m->code = (int)message->value;
        m->over = true;
        break;
    case LINK_QUIT:
        m->code = EXIT_DONE;
        m->over = true;
        break;
    case LINK_READY:
    case LINK_RESULT:
    case LINK_CUT:
    case LINK_FAILED:
        break; // these are for the lead
    }
}

static void answer(hand_result *r)
{
    link_tag tag = r->code == CLUSTER_ON    ? LINK_RESULT
                   : r->code == CLUSTER_CUT ? LINK_CUT
                                            : LINK_FAILED;
    int64_t value = tag == LINK_FAILED ? r->code : r->unit;
    link_send(LEAD,
              &(link_message){.tag = tag, .value = value, .text = r->text, .length = r->length});
    free(r->text);
}

int share_member(const cluster_work *work, int64_t number)
{
    member m = {.code = CLUSTER_ON};
    double pause = PAUSE_LEAST;
    if (!hand_begin(&m.own, work)) {
        return EXIT_INTERNAL;
    }
    send(LEAD, LINK_READY, number);
    while (!m.over) {
        link_message message;
        hand_result result;
        bool done = hand_poll(&m.own, &result);
        if (done) {
            answer(&result);
        }
        bool heard = link_poll(&message);
        if (heard) {
            obey(&m, &message);
            free(message.text);
        }
        pause = next_pause(pause, done || heard);
        hand_wait(&m.own, pause);
    }
    hand_end(&m.own);
    return m.code;
}
