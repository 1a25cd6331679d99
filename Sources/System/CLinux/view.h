// A process's private view of the file system.
#ifndef SLUICE_VIEW_H
#define SLUICE_VIEW_H

#include "confinement.h"

// Gives the calling process a mount namespace with the view and the /proc that `confinement`
// requests, if any. Requires CAP_SYS_ADMIN in the user namespace of its mounts.
//
// Returns 0, or a negated errno and the affected path in the report.
int sluice_mount_view(const struct sluice_confinement *confinement, struct sluice_confinement_report *report);

#endif
