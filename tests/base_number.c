/* Numbers as text: as short as they read back the same; times that were meant. */
#include "check.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/number.h"

static void told(double value, const char *want)
{
    char text[SCR_NUMBER_TEXT];
    CHECK_TEXT(scr_number_text(text, value), want);
}

static void shortest(void)
{
    told(0, "0");
    told(-0.0, "-0");
    told(0.1, "0.1");
    told(3 * 0.1, "0.30000000000000004");
    told(0.28, "0.28");
    told(1e22, "1e+22");
    told(5e-324, "5e-324");
    told(1.7976931348623157e308, "1.7976931348623157e+308");
    told(-1500, "-1500");
    told(NAN, "nan");
    told(-NAN, "nan");
    told(INFINITY, "inf");
    told(-INFINITY, "-inf");
}

// no digit may be taken away, and what is there reads back
static void round_trips(void)
{
    uint64_t bits = 88172645463325252u, wrong = 0, longer = 0;
    for (int k = 0; k < 200000; k++) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        char text[SCR_NUMBER_TEXT], rounded[64];
        scr_number_text(text, value);
        wrong += strtod(text, NULL) != value || strlen(text) >= SCR_NUMBER_TEXT;
        // the first precision of printf that reads back is as short
        int digits = 1;
        while (snprintf(rounded, sizeof rounded, "%.*e", digits - 1, value), strtod(rounded, NULL) != value) digits++;
        longer += strcspn(text, "e") > strcspn(rounded, "e") && strchr(text, 'e');
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(longer, 0);
}

// times as a clock of steps has them: base + k n dt, dt = every/n
static void multiples(void)
{
    static const struct {
        double every;
        int thousandths;
    } cases[] = {{0.02, 20}, {0.1, 100}, {0.001, 1}, {0.25, 250}, {0.7, 700}, {0.003, 3}};
    int wrong = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int n = 1; n < 3000; n = 3 * n + 1)
            for (int k = 0; k < 3000; k++) {
                double dt = cases[c].every / n, time = (double)(k * n) * dt;
                wrong += scr_number_meant(time) != (double)(k * cases[c].thousandths) / 1000;
            }
    CHECK_INT(wrong, 0);
    // a third is no decimal: it stays
    CHECK(scr_number_meant(1.0 / 3) == 1.0 / 3);
    CHECK(scr_number_meant(0) == 0);
    CHECK(scr_number_meant(-3 * 0.1) == -0.3);
}

int main(void)
{
    shortest();
    round_trips();
    multiples();
    return check_done();
}
