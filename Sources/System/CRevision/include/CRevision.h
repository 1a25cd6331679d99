// The commit that this Sluice was built from.
#pragma once

/// The commit in short, with `+` behind it where there were changes; NULL where the build was not told.
const char *sluice_revision(void);
