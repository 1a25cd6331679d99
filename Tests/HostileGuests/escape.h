#ifndef HOSTILE_ESCAPE_H
#define HOSTILE_ESCAPE_H

// Tries every way that it knows to each of the paths and to the parent's memory, and sends a Log for
// each attempt: what it tried, a colon, and the name of the error or OPENED.
void try_to_escape(char *const paths[]);

// Connects to each of the TCP ports of 127.0.0.1, and reports in the same way.
void try_ports(char *const ports[]);

// Connects 48 times, says nonsense or nothing, and leaves the connections open.
void babble_at(const char *port);

#endif
