/* Compiler attributes used throughout, so that each is spelled once. */
#ifndef TLSMETER_CORE_ATTRIBUTES_H
#define TLSMETER_CORE_ATTRIBUTES_H

/* The caller must look at the result. */
#define MUST_USE __attribute__((warn_unused_result))
/* printf-like: FORMAT and FIRST are 1-based argument positions. */
#define PRINTF_LIKE(FORMAT, FIRST) __attribute__((format(printf, FORMAT, FIRST)))
#define COUNT_OF(array)            (sizeof(array) / sizeof((array)[0]))

#endif
