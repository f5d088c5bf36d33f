// cluster_run in an mpirun: what the lead does, and what the others do.
#ifndef CLUSTER_SHARE_H
#define CLUSTER_SHARE_H

#include "cluster/ledger.h"

// Both return what cluster_run returns; number: of this cluster_run, from 1, the same everywhere.
int share_lead(ledger *l, int64_t number);
int share_member(const cluster_work *work, int64_t number);

// To all but the lead.
void share_send_all(int tag, int64_t value);

#endif
