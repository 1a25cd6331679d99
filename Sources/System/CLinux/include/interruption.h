// What is still done when SIGHUP, SIGINT or SIGTERM ends this process. One that is ignored, as under nohup(1), stays so.
#pragma once

// Has guests killed, with all that they have started where this process adopts that, and then `folder` removed (empty: none),
// before the process ends of the signal. To be called once; a handler that somebody installs later takes the place of this.
//
// Returns 0 or a negated errno.
int sluice_clean_up_on_interruption(const char *folder);

// Has the child `pid` get the signal, and end, before the process ends of it. 0: there is no child any more.
void sluice_pass_interruptions_on(int pid);
