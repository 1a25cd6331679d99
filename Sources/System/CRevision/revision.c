#include "CRevision.h"

#include <stddef.h>

#ifndef SLUICE_REVISION
#define SLUICE_REVISION NULL
#endif

const char *sluice_revision(void) { return SLUICE_REVISION; }
