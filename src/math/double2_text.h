/* Text of math/double2.h for one kind of number, D2_REAL: D2(name) names a function, D2_TYPE the sum of two. */
typedef struct {
    D2_REAL hi, lo;
} D2_TYPE;

/* a + b, exactly, where |a| >= |b| or a = 0. */
static inline __attribute__((always_inline)) D2_TYPE D2(of_ordered)(D2_REAL a, D2_REAL b)
{
    D2_REAL sum = a + b;
    return (D2_TYPE){sum, b - (sum - a)};
}
/* a + b, exactly. */
static inline __attribute__((always_inline)) D2_TYPE D2(of_sum)(D2_REAL a, D2_REAL b)
{
    D2_REAL sum = a + b, part = sum - a;
    return (D2_TYPE){sum, (a - (sum - part)) + (b - part)};
}
/* a b, exactly. */
static inline __attribute__((always_inline)) D2_TYPE D2(of_product)(D2_REAL a, D2_REAL b)
{
    D2_REAL s = 134217729 * a, t = 134217729 * b; // 2^27 + 1
    D2_REAL ah = s - (s - a), bh = t - (t - b), al = a - ah, bl = b - bh, product = a * b;
    return (D2_TYPE){product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}
static inline __attribute__((always_inline)) D2_TYPE D2(of)(D2_REAL a)
{
    return (D2_TYPE){a, (D2_REAL){0}};
}
static inline __attribute__((always_inline)) D2_TYPE D2(negative)(D2_TYPE a)
{
    return (D2_TYPE){-a.hi, -a.lo};
}
static inline __attribute__((always_inline)) D2_TYPE D2(add)(D2_TYPE a, D2_TYPE b)
{
    D2_TYPE s = D2(of_sum)(a.hi, b.hi), t = D2(of_sum)(a.lo, b.lo);
    s = D2(of_ordered)(s.hi, s.lo + t.hi);
    return D2(of_ordered)(s.hi, s.lo + t.lo);
}
static inline __attribute__((always_inline)) D2_TYPE D2(sub)(D2_TYPE a, D2_TYPE b)
{
    return D2(add)(a, D2(negative)(b));
}
static inline __attribute__((always_inline)) D2_TYPE D2(mul)(D2_TYPE a, D2_TYPE b)
{
    D2_TYPE p = D2(of_product)(a.hi, b.hi);
    return D2(of_ordered)(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
static inline __attribute__((always_inline)) D2_TYPE D2(div)(D2_TYPE a, D2_TYPE b)
{
    D2_REAL first = a.hi / b.hi;
    D2_TYPE left = D2(sub)(a, D2(mul)(D2(of)(first), b));
    D2_REAL second = left.hi / b.hi;
    left = D2(sub)(left, D2(mul)(D2(of)(second), b));
    return D2(add)(D2(of_ordered)(first, second), D2(of)(left.hi / b.hi));
}
/* Times a power of two: exact. */
static inline __attribute__((always_inline)) D2_TYPE D2(scale)(D2_TYPE a, D2_REAL power)
{
    return (D2_TYPE){a.hi * power, a.lo * power};
}
