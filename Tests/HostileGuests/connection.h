// The guest's end of the connection: frames over descriptor 3, with blocking calls.
#ifndef HOSTILE_CONNECTION_H
#define HOSTILE_CONNECTION_H

#include "message.h"

enum { CONNECTION = 3 };

// Writes all of it; ends the process where the host has closed.
void send_bytes(const void *bytes, size_t length);
void send_frame(const struct message *);
// A GuestMessage with this body. Request 0 asks for nothing.
void send_message(uint64_t request, enum guest_body body, const struct message *content);
void send_log(const char *text);
// The same for any message whose field 1 is a string: `unit` so often.
void send_long_text(enum guest_body body, const char *unit, size_t times);
void send_acknowledge(uint64_t through);

// The body of the next HostMessage: its field number and its content, which lasts until the next call.
// Number 0 where the host has closed.
struct field receive(void);

// Reads and forgets until the host closes, then ends the process.
_Noreturn void read_until_closed(void);

// Hello and Welcome. Returns the name of the device; ends the process where the host says otherwise.
const char *shake_hands(void);

#endif
