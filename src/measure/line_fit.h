/*
 * A straight line through points: y = fixed + slope * x, least squares of relative deviations.
 *
 * Response times over payload sizes span orders of magnitude with errors of a constant share, so
 * that each point is weighted with 1 / y^2 (weighted linear regression; Draper and Smith, Applied
 * Regression Analysis, 3rd ed., section 9.2). Standard errors come from the scatter around the
 * line; with two points there is none.
 */
#ifndef TLSMETER_MEASURE_LINE_FIT_H
#define TLSMETER_MEASURE_LINE_FIT_H

#include <stdbool.h>
#include <stddef.h>

struct line_fit {
    double fixed, fixed_error; /* in units of y; errors are NaN below three points */
    double slope, slope_error; /* in units of y per x */
    double worst_ratio;        /* the largest |y - line| / y */
};

/* False with fewer than two different x, or a y that is not above 0. */
bool line_fit(const double *x, const double *y, size_t n, struct line_fit *fit);

#endif
