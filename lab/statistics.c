#include "lab/statistics.h"

#include <assert.h>
#include <math.h>

bounds share_bounds(int64_t hits, int64_t count)
{
    assert(hits >= 0 && hits <= count);
    if (count == 0) {
        return (bounds){0, 1};
    }
    static const double z = 1.959963984540054; // of the normal distribution, 2.5% beyond it
    double n = (double)count, p = (double)hits / n, z2 = z * z / n;
    double middle = (p + z2 / 2) / (1 + z2);
    double half = z / (1 + z2) * sqrt(p * (1 - p) / n + z2 / (4 * n));
    return (bounds){fmax(middle - half, 0), fmin(middle + half, 1)};
}

static double log_choose(int n, int k)
{
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
}

double same_share(int hits_a, int count_a, int hits_b, int count_b)
{
    assert(hits_a >= 0 && hits_a <= count_a && hits_b >= 0 && hits_b <= count_b);
    int hits = hits_a + hits_b, count = count_a + count_b;
    int least = hits > count_b ? hits - count_b : 0, most = hits < count_a ? hits : count_a;
    double all = log_choose(count, hits);
    double seen = log_choose(count_a, hits_a) + log_choose(count_b, hits_b) - all;
    double sum = 0;
    for (int k = least; k <= most; k++) {
        double p = log_choose(count_a, k) + log_choose(count_b, hits - k) - all;
        sum += p <= seen + 1e-9 ? exp(p) : 0; // as rare as what was seen, or rarer
    }
    return fmin(sum, 1);
}
