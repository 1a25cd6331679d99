// Cleanup when SIGHUP, SIGINT or SIGTERM ends this process. Ignored signals, as under nohup(1),
// stay ignored.
#pragma once

// Before a signal ends the process, kills guests and, if this process adopts orphans, their
// descendants. Then removes `folder`, unless it is empty text. Call it once; handlers installed
// later replace it.
//
// Returns 0 or a negated errno.
int sluice_clean_up_on_interruption(const char *folder);

// Before a signal ends the process, forwards it to the child `pid` and waits for the child; 0 for
// no child.
void sluice_pass_interruptions_on(int pid);
