/* Nothing: cffi knows these types. See build_api.py. */
