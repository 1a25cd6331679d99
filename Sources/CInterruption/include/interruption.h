// What is still done when SIGHUP, SIGINT or SIGTERM ends this process. One that is ignored, as under nohup(1), stays so.
#pragma once

// Has `folder` removed before the process ends of the signal. Guests are killed first, as the threads that started them are
// gone by then. To be called once; a handler that somebody installs later takes the place of this.
//
// Returns 0 or a negated errno.
int sluice_remove_on_interruption(const char *folder);

// Has the child `pid` get the signal, and end, before the process ends of it. 0: there is no child any more.
void sluice_pass_interruptions_on(int pid);
