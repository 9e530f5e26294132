/* Eight lanes with AVX-512: part of kernel/lanes.h. Masks are in mask registers, a bit per lane. */
typedef __mmask8 mask;

SCR_INLINE mask r_less(real a, real b)
{
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LT_OQ);
}
SCR_INLINE mask r_is(real a, real b)
{
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_EQ_OQ);
}
SCR_INLINE real r_select(mask m, real a, real b)
{
    return (real)_mm512_mask_blend_pd(m, (__m512d)b, (__m512d)a);
}
SCR_INLINE int r_any(mask m)
{
    return m != 0;
}
SCR_INLINE real r_sqrt(real a)
{
    return (real)_mm512_sqrt_pd((__m512d)a);
}
/* a b + c and c - a b, rounded once */
SCR_INLINE real r_fma(real a, real b, real c)
{
    return (real)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
SCR_INLINE real r_fnma(real a, real b, real c)
{
    return (real)_mm512_fnmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
/* The instructions return their second number where the two are equal or not comparable, as the scalar text does. */
SCR_INLINE real r_max(real a, real b)
{
    return (real)_mm512_max_pd((__m512d)b, (__m512d)a);
}
SCR_INLINE real r_min(real a, real b)
{
    return (real)_mm512_min_pd((__m512d)b, (__m512d)a);
}
