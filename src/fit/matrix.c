// Small symmetric matrices: Cholesky's solution, Jacobi's eigenvalues.
#include "fit/fit.h"

#include <math.h>

bool cri_matrix_solve(double *a, double *b, int n)
{
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= a[i * n + k] * a[j * n + k];
            }
            if (i == j && !(sum > 0)) {
                return false;
            }
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            b[i] -= a[i * n + k] * b[k];
        }
        b[i] /= a[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            b[i] -= a[k * n + i] * b[k];
        }
        b[i] /= a[i * n + i];
    }
    return true;
}

// Turn rows and columns p and q so that a[p][q] vanishes.
static void turn(double *a, double *vectors, int n, int p, int q)
{
    double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++) {
        double kp = a[k * n + p], kq = a[k * n + q];
        a[k * n + p] = c * kp - s * kq;
        a[k * n + q] = s * kp + c * kq;
    }
    for (int k = 0; k < n; k++) {
        double pk = a[p * n + k], qk = a[q * n + k];
        a[p * n + k] = c * pk - s * qk;
        a[q * n + k] = s * pk + c * qk;
        double vp = vectors[p * n + k], vq = vectors[q * n + k];
        vectors[p * n + k] = c * vp - s * vq;
        vectors[q * n + k] = s * vp + c * vq;
    }
}

static void swap_rows(double *values, double *vectors, int n, int i, int k)
{
    double value = values[i];
    values[i] = values[k];
    values[k] = value;
    for (int j = 0; j < n; j++) {
        double v = vectors[i * n + j];
        vectors[i * n + j] = vectors[k * n + j];
        vectors[k * n + j] = v;
    }
}

static void sort_rising(double *values, double *vectors, int n)
{
    for (int i = 0; i < n; i++) {
        for (int k = i + 1; k < n; k++) {
            if (values[k] < values[i]) {
                swap_rows(values, vectors, n, i, k);
            }
        }
    }
}

void cri_matrix_eigen(double *a, int n, double *values, double *vectors)
{
    for (int i = 0; i < n * n; i++) {
        vectors[i] = i % (n + 1) == 0;
    }
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0, diagonal = 0;
        for (int p = 0; p < n; p++) {
            diagonal += a[p * n + p] * a[p * n + p];
            for (int q = p + 1; q < n; q++) {
                off += a[p * n + q] * a[p * n + q];
                if (fabs(a[p * n + q]) > 1e-300) {
                    turn(a, vectors, n, p, q);
                }
            }
        }
        if (off <= 1e-30 * diagonal) {
            break;
        }
    }
    for (int i = 0; i < n; i++) {
        values[i] = a[i * n + i];
    }
    sort_rising(values, vectors, n);
}
