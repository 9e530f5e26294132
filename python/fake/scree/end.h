/* Nothing: cffi reads declarations only. See build_api.py. */
