/* Four lanes, with AVX2 or of any machine: part of kernel/lanes.h. Masks are vectors of all-ones or zero. */
typedef lane_bits mask;
#define r_less(a, b) ((mask)((a) < (b)))
#define r_is(a, b)   ((mask)((a) == (b)))

SCR_INLINE real r_select(mask m, real a, real b)
{
    return (real)(((mask)a & m) | ((mask)b & ~m));
}
#if defined(__AVX__)
SCR_INLINE int r_any(mask m)
{
    return _mm256_movemask_pd((__m256d)m) != 0;
}
SCR_INLINE real r_sqrt(real a)
{
    return (real)_mm256_sqrt_pd((__m256d)a);
}
/* The instructions return their second number where the two are equal or not comparable, as the scalar text does. */
SCR_INLINE real r_max(real a, real b)
{
    return (real)_mm256_max_pd((__m256d)b, (__m256d)a);
}
SCR_INLINE real r_min(real a, real b)
{
    return (real)_mm256_min_pd((__m256d)b, (__m256d)a);
}
#else
SCR_INLINE int r_any(mask m)
{
    int64_t any = 0;
    for (int l = 0; l < SCR_LANES; l++) any |= m[l];
    return any != 0;
}
// the compiler pairs the lanes where the machine can
SCR_INLINE real r_sqrt(real a)
{
    real root;
    for (int l = 0; l < SCR_LANES; l++) root[l] = sqrt(a[l]);
    return root;
}
SCR_INLINE real r_max(real a, real b)
{
    return r_select(r_less(a, b), b, a);
}
SCR_INLINE real r_min(real a, real b)
{
    return r_select(r_less(b, a), b, a);
}
#endif

/* a b + c and c - a b, rounded once */
#if defined(__FMA__)
SCR_INLINE real r_fma(real a, real b, real c)
{
    return (real)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
SCR_INLINE real r_fnma(real a, real b, real c)
{
    return (real)_mm256_fnmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
#else
// calls of the C library, which has the processor's instruction where there is one; apart, for the sake of the compiler
static __attribute__((noinline, unused)) real r_fma(real a, real b, real c)
{
    real sum;
    for (int l = 0; l < SCR_LANES; l++) sum[l] = fma(a[l], b[l], c[l]);
    return sum;
}
SCR_INLINE real r_fnma(real a, real b, real c)
{
    return r_fma(-a, b, c);
}
#endif
