/* The end of what scree/begin.h began. */
#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
