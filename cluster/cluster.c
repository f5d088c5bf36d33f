#include "cluster/cluster.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "cluster/hand.h"
#include "cluster/link.h"
#include "cluster/share.h"

// What this process is.
static struct {
    int size, number, beside; // of all, which of them, how many on this machine
    int64_t runs;             // of cluster_run
    bool joined, quit;
    int errors; // stderr of a process that is not the lead, while it is quiet; else -1
    _Atomic int64_t told;
    atomic_bool halted; // the unit under way is to end
} here = {.size = 1, .beside = 1, .errors = -1, .told = INT64_MAX};

static int number_of(const char *name, int fallback)
{
    const char *text = getenv(name);
    int value = text ? atoi(text) : fallback;
    return value >= 0 && value < 1000000 ? value : fallback;
}

// Every process meets the same mistakes in words and files: the lead alone says so.
static void be_quiet(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(stderr);
    if (here.errors < 0 && nowhere >= 0) {
        here.errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
        dup2(nowhere, STDERR_FILENO);
    }
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
}

static void be_heard(void)
{
    if (here.errors >= 0) {
        dup2(here.errors, STDERR_FILENO);
        close(here.errors);
        here.errors = -1;
    }
}

// Open MPI's own names, as those of any launcher that starts it; Slurm's srun sets them too where
// it is built for it (PMIx).
void cluster_begin(void)
{
    here.size = number_of("OMPI_COMM_WORLD_SIZE", 1);
    here.size = here.size > 0 ? here.size : 1;
    here.number = number_of("OMPI_COMM_WORLD_RANK", 0);
    here.beside = number_of("OMPI_COMM_WORLD_LOCAL_SIZE", 1);
    if (!cluster_leads()) {
        be_quiet();
    }
}

int cluster_end(int code)
{
    if (here.joined && !here.quit) {
        if (cluster_leads()) {
            share_send_all(LINK_QUIT, 0);
        } else if (code > EXIT_DONE) {
            link_send(0, &(link_message){.tag = LINK_FAILED, .value = code});
        }
    }
    if (here.joined) {
        link_close();
    }
    // What a run came to is the lead's to say.
    return here.joined && !cluster_leads() ? EXIT_DONE : code;
}

int cluster_size(void)
{
    return here.size;
}

bool cluster_leads(void)
{
    return here.number == 0;
}

int cluster_threads(int64_t asked)
{
    if (asked > 0 || here.beside <= 1) {
        return (int)asked;
    }
    long share = sysconf(_SC_NPROCESSORS_ONLN) / here.beside;
    return share > 1 ? (int)share : 1;
}

bool cluster_stop(void *context)
{
    return stop_asked(context) || atomic_load(&here.halted);
}

void cluster_halt(void)
{
    atomic_store(&here.halted, true);
}

void cluster_tell(int64_t number)
{
    if (number < atomic_load(&here.told)) {
        atomic_store(&here.told, number);
        if (cluster_leads() && here.joined) {
            share_send_all(LINK_TELL, number);
        }
    }
}

int64_t cluster_told(void)
{
    return atomic_load(&here.told);
}

static int run_alone(ledger *l)
{
    int code = CLUSTER_ON;
    for (int64_t unit; code == CLUSTER_ON && (unit = ledger_next(l)) >= 0;) {
        if (stop_asked(NULL)) {
            return CLUSTER_CUT;
        }
        ledger_show(l);
        hand_result r = hand_run(l->work, unit);
        code = r.code == CLUSTER_ON ? ledger_add(l, unit, r.text, r.length) : r.code;
    }
    return code;
}

static int lead(const cluster_work *work)
{
    ledger l;
    int code = ledger_begin(&l, work);
    if (here.size == 1) {
        code = code == CLUSTER_ON ? run_alone(&l) : code;
    } else if (code == CLUSTER_ON) {
        code = share_lead(&l, here.runs);
    } else {
        share_send_all(LINK_DONE, code);
    }
    ledger_end(&l);
    return code;
}

int cluster_run(const cluster_work *work)
{
    atomic_store(&here.told, INT64_MAX);
    atomic_store(&here.halted, false);
    here.runs++;
    if (here.size > 1 && !here.joined) {
        here.joined = link_open();
        if (!here.joined) {
            return EXIT_USAGE;
        }
    }
    if (cluster_leads()) {
        return lead(work);
    }
    be_heard();
    int code = share_member(work, here.runs);
    be_quiet();
    return code;
}
