#pragma once
#include <stdbool.h>
#include <stdint.h>
/* CCTZ is C++: this is the little of it that is needed, without exceptions and with plain C types. */

#ifdef __cplusplus
extern "C" {
#endif

/* The rules of a time zone. They are never given back: CCTZ keeps them until the process ends. */
typedef struct cctz_zone cctz_zone;

/* A point in time as clocks and calendars of a zone show it. */
typedef struct {
  int64_t year;
  int32_t month, day, hour, minute, second;
  /* From 0, Monday, to 6; and from 1, the first of January. */
  int32_t weekday, yearday;
  /* Seconds east of Greenwich. */
  int32_t offset;
  /* Its letters from the lowest byte up, as in "CEST"; at most eight. */
  uint64_t abbreviation;
} cctz_local_time;

/* False where no version of the library is installed; then there is no zone at all. */
bool cctz_is_there(void);

/* The folder of the system's zone files: the variable TZDIR, or /usr/share/zoneinfo. */
const char *cctz_directory(void);

/* True when `directory/name` is a file of zone rules. */
bool cctz_is_zone_file(const char *name);

/* Reads a zone, or finds it as it was read before; NULL when there is none of that name. Takes every
   name that CCTZ takes, absolute paths too: the caller checks the name. */
const cctz_zone *cctz_open(const char *name);

cctz_local_time cctz_read(const cctz_zone *zone, int64_t seconds_since_1970);

#ifdef __cplusplus
}
#endif
