#include "cluster/ledger.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Hand over what stands next in order, and let go of it.
static int take_in_order(ledger *l)
{
    int code = CLUSTER_ON;
    while (code == CLUSTER_ON && l->taken < l->work->count && l->entries[l->taken].known) {
        struct entry *e = &l->entries[l->taken];
        if (l->work->take) {
            cluster_result result = {e->text, e->length};
            code = l->work->take(l->taken, result, l->work->context);
        }
        free(e->text);
        e->text = NULL;
        l->taken++;
    }
    return code;
}

static int note(ledger *l, int64_t unit, char *text, size_t length)
{
    assert(unit >= 0 && unit < l->work->count && !l->entries[unit].known);
    l->entries[unit] = (struct entry){text, length, true};
    l->known++;
    cluster_result result = {text, length};
    int code = l->work->hear ? l->work->hear(unit, result, l->work->context) : CLUSTER_ON;
    return code == CLUSTER_ON ? take_in_order(l) : code;
}

static int recall(ledger *l, int64_t unit)
{
    cluster_result old;
    if (!l->work->recall || !l->work->recall(unit, &old, l->work->context)) {
        return CLUSTER_ON;
    }
    char *copy = malloc(old.length + 1);
    if (!copy) {
        return EXIT_INTERNAL;
    }
    memcpy(copy, old.text, old.length);
    copy[old.length] = 0;
    l->recalled++;
    return note(l, unit, copy, old.length);
}

int ledger_begin(ledger *l, const cluster_work *work)
{
    *l = (ledger){.work = work, .begin = now_seconds()};
    l->entries = calloc((size_t)work->count + 1, sizeof *l->entries);
    int code = l->entries ? CLUSTER_ON : EXIT_INTERNAL;
    for (int64_t unit = 0; unit < work->count && code == CLUSTER_ON; unit++) {
        code = recall(l, unit);
    }
    return code;
}

void ledger_end(ledger *l)
{
    progress_end(&l->bar);
    for (int64_t i = 0; l->entries && i < l->work->count; i++) {
        free(l->entries[i].text);
    }
    free(l->entries);
    l->entries = NULL;
}

int64_t ledger_next(ledger *l)
{
    while (l->next < l->work->count && l->entries[l->next].known) {
        l->next++;
    }
    return l->next < l->work->count ? l->next++ : -1;
}

int ledger_add(ledger *l, int64_t unit, char *text, size_t length)
{
    cluster_result result = {text, length};
    int code = l->work->keep ? l->work->keep(unit, result, l->work->context) : CLUSTER_ON;
    if (code != CLUSTER_ON) {
        free(text);
        return code;
    }
    return note(l, unit, text, length);
}

void ledger_show(ledger *l)
{
    if (!progress_due(&l->bar)) {
        return;
    }
    char more[80] = "", crew[40] = "", rest[60] = "";
    int64_t done = l->known - l->recalled, left = l->work->count - l->known;
    if (l->work->say) {
        l->work->say(more, sizeof more, l->work->context);
    }
    if (cluster_size() > 1) {
        snprintf(crew, sizeof crew, "; %d processes", cluster_size());
    }
    if (done > 0) {
        double seconds = (now_seconds() - l->begin) / (double)done * (double)left;
        snprintf(rest, sizeof rest, "; about %.0f min %02.0f s left", floor(seconds / 60),
                 fmod(seconds, 60));
    }
    progress_show(&l->bar, "%lld of %lld %s%s%s%s", (long long)l->known, (long long)l->work->count,
                  l->work->what, more, crew, rest);
}
