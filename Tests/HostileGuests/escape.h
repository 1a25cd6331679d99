#ifndef HOSTILE_ESCAPE_H
#define HOSTILE_ESCAPE_H

// Makes every known attempt on each of the paths and on the parent's memory, and sends a Log for
// each: the attempt, a colon, and the name of the error or OPENED.
void try_to_escape(char *const paths[]);

// Connects to each of the TCP ports of 127.0.0.1. Reports the results in the same way.
void try_ports(char *const ports[]);

// Opens 48 connections, sends garbage or nothing, and leaves them open.
void babble_at(const char *port);

#endif
