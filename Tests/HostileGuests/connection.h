// This is the guest's end of the connection. It sends frames over descriptor 3, with blocking
// calls.
#ifndef HOSTILE_CONNECTION_H
#define HOSTILE_CONNECTION_H

#include "message.h"

enum { CONNECTION = 3 };

// Writes all bytes. Exits if the host has closed the connection.
void send_bytes(const void *bytes, size_t length);
void send_frame(const struct message *);
// Sends a GuestMessage with this body. Request 0 is a message without an answer.
void send_message(uint64_t request, enum guest_body body, const struct message *content);
void send_log(const char *text);
// Sends a message whose field 1 is a string of `unit` repeated this many times.
void send_long_text(enum guest_body body, const char *unit, size_t times);
void send_acknowledge(uint64_t through);

// Returns the body of the next HostMessage: its field number and its content. The content is valid
// until the next call. The number is 0 if the host has closed the connection.
struct field receive(void);

// Reads and ignores messages until the host closes the connection, then exits.
_Noreturn void read_until_closed(void);

// Performs the handshake: Hello and Welcome. Returns the name of the device; exits if the host
// sends anything else.
const char *shake_hands(void);

#endif
