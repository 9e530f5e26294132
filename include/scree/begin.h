/* Before the declarations of a public header, with scree/end.h behind them: C linkage for C++, and names that the
 * shared library shows; all others are hidden in it. Included several times. */
#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)
