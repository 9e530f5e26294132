/* Restitution of the damped Hooke contact, m x'' + eta x' + k x = 0, z = eta / (2 sqrt(m k)).
 *
 * With the attractive end of the contact kept, e = exp(-pi z / sqrt(1 - z^2)) (Vyas et al. 2025,
 * eq. 31). When the force is clipped at zero the contact ends at the moment the force vanishes,
 * before the overlap does, and e = exp(-(z/y) atan2(2 z y, 2 z^2 - 1)), y = sqrt(1 - z^2); for z >
 * 1 the same function continued: e = exp(-(2 z/s) atanh(s/z)), s = sqrt(z^2 - 1). It falls
 * monotonically from 1 to 0. */
#include "kernel/law.h"

#include <math.h>

#include "math/elementary.h"

double scr_law_overlap(const scr_law *law, double mass, double radius, double speed)
{
    if (law->hertz == 0) return speed * sqrt(mass / law->kn);
    // m V^2/2 = 2/5 (4/3 E* sqrt(R*)) delta^5/2
    return scr_pow(1.25 * mass * speed * speed / (law->kn * sqrt(radius)), 0.4);
}

double scr_law_contact_time(const scr_law *law, double mass, double radius)
{
    if (law->hertz == 0) return M_PI * sqrt(mass / law->kn);
    // 2 int_0^1 dx/sqrt(1 - x^5/2) = 2.9432749...
    return 2.943274974811447 * scr_law_overlap(law, mass, radius, law->speed) / law->speed;
}

double scr_law_range(const scr_law *law, double radius)
{
    if (!(law->surface_energy > 0)) return law->range;
    // a JKR contact tears at delta = -3/4 c (c R*/4)^1/3, c = sqrt(4 pi gamma/E*)
    double c = sqrt(4 * M_PI * law->surface_energy / scr_law_modulus(law));
    return 0.75 * c * scr_cbrt(0.25 * c * radius);
}

double scr_damping_ratio_unclipped(double e)
{
    if (e >= 1) return 0;
    double l = scr_log(e);
    return -l / sqrt(M_PI * M_PI + l * l);
}

double scr_restitution_clipped(double z)
{
    if (z <= 0) return 1;
    if (fabs(z - 1) < 1e-9) return scr_exp(-2);
    if (z < 1) {
        double y = sqrt((1 - z) * (1 + z));
        return scr_exp(-(z / y) * scr_atan2(2 * z * y, 2 * z * z - 1));
    }
    double s = sqrt((z - 1) * (z + 1));
    return scr_exp(-(2 * z / s) * scr_atanh(s / z));
}

double scr_damping_ratio_clipped(double e)
{
    if (e >= 1) return 0;
    double low = 0, high = 1;
    while (scr_restitution_clipped(high) > e) high *= 2;
    for (int k = 0; k < 200 && high - low > 1e-16 * high; k++) {
        double mid = 0.5 * (low + high);
        if (scr_restitution_clipped(mid) > e)
            low = mid;
        else
            high = mid;
    }
    return 0.5 * (low + high);
}
