#include "measure/line_fit.h"

#include <math.h>

bool line_fit(const double *x, const double *y, size_t n, struct line_fit *fit)
{
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(y[i] > 0))
            return false;
        double weight = 1 / (y[i] * y[i]);
        w += weight;
        wx += weight * x[i];
        wy += weight * y[i];
        wxx += weight * x[i] * x[i];
        wxy += weight * x[i] * y[i];
    }
    double determinant = w * wxx - wx * wx;
    if (n < 2 || !(determinant > 1e-12 * w * wxx))
        return false;
    fit->slope = (w * wxy - wx * wy) / determinant;
    fit->fixed = (wxx * wy - wx * wxy) / determinant;
    double squares = 0;
    fit->worst_ratio = 0;
    for (size_t i = 0; i < n; i++) {
        double ratio = fabs(y[i] - fit->fixed - fit->slope * x[i]) / y[i];
        squares += ratio * ratio;
        fit->worst_ratio = ratio > fit->worst_ratio ? ratio : fit->worst_ratio;
    }
    double variance = n > 2 ? squares / (double)(n - 2) : NAN;
    fit->fixed_error = sqrt(variance * wxx / determinant);
    fit->slope_error = sqrt(variance * w / determinant);
    return true;
}
