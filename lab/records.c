#include "lab/records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/journal.h"

const char records_head[] = "search,seed,start,outcome,nodes,steps,attempts,seconds,select_seconds,"
                            "behavior_seconds,engine_seconds,check\n";

bool add_record(records *all, const record *r)
{
    if (all->count == all->capacity) {
        int capacity = all->capacity ? 2 * all->capacity : 256;
        record *items = realloc(all->items, (size_t)capacity * sizeof *items);
        if (!items) {
            return false;
        }
        all->items = items;
        all->capacity = capacity;
    }
    all->items[all->count++] = *r;
    return true;
}

// Counts and seconds, none of which a search could make larger than this.
static bool is_measure(double value)
{
    return value >= 0 && value <= 1e15;
}

bool read_record(const char *line, record *r)
{
    long long seed, start;
    int end = 0;
    if (!journal_is_whole(line)) {
        return false;
    }
    if (sscanf(line, "%159[^,],%lld,%lld,%15[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%n", r->key, &seed,
               &start, r->outcome, &r->nodes, &r->steps, &r->attempts, &r->seconds, &r->select,
               &r->behavior, &r->engine, &end) != 11 ||
        strchr(line + end, ',')) {
        return false;
    }
    r->seed = seed;
    r->start = start;
    return is_measure(r->nodes) && is_measure(r->steps) && is_measure(r->attempts) &&
           is_measure(r->seconds) && is_measure(r->select) && is_measure(r->behavior) &&
           is_measure(r->engine);
}

bool read_records(FILE *file, records *all)
{
    char line[512];
    record r;
    bool kept = true, begins = true; // a line that is too long comes in pieces
    rewind(file);
    while (kept && fgets(line, sizeof line, file)) {
        all->cut = !strchr(line, '\n');
        if (begins && read_record(line, &r)) {
            kept = add_record(all, &r);
        } else {
            all->passed += begins && strcmp(line, records_head) != 0;
        }
        begins = !all->cut;
    }
    return kept;
}

const record *find_record(const records *all, const char *key, int64_t seed, int64_t start)
{
    for (int i = 0; i < all->count; i++) {
        const record *r = &all->items[i];
        if (r->seed == seed && r->start == start && strcmp(r->outcome, "growing") != 0 &&
            strcmp(r->key, key) == 0) {
            return r;
        }
    }
    return NULL;
}

void print_record(FILE *file, const record *r)
{
    char line[512];
    snprintf(line, sizeof line, "%s,%lld,%lld,%s,%.0f,%.0f,%.0f,%.6f,%.6f,%.6f,%.6f", r->key,
             (long long)r->seed, (long long)r->start, r->outcome, r->nodes, r->steps, r->attempts,
             r->seconds, r->select, r->behavior, r->engine);
    fprintf(file, "%s,%016" PRIx64 "\n", line, journal_check(line, strlen(line)));
}
