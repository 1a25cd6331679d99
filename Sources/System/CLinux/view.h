// The view of the file system that a process has for itself.
#ifndef SLUICE_VIEW_H
#define SLUICE_VIEW_H

#include "confinement.h"

// Gives the calling process a mount namespace with the view and the /proc that `confinement` asks for, if it asks for any.
// Returns 0 or a negated errno, and names the path at fault. It needs CAP_SYS_ADMIN in the user namespace of its mounts.
int sluice_mount_view(const struct sluice_confinement *confinement, struct sluice_confinement_report *report);

#endif
