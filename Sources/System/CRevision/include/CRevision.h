// The commit that this Sluice was built from.
#pragma once

/// Returns the abbreviated commit, followed by `+` if there were uncommitted changes; NULL if the
/// build did not supply it.
const char *sluice_revision(void);
