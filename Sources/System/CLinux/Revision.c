#include "CLinux.h"

/* Weak: the object file of deploy/packaging/revision.sh has a definition that takes its place. */
__attribute__((weak)) const char apns_bridge_revision[] = "unknown";

const char *linux_revision(void) { return apns_bridge_revision; }
