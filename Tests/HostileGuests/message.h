// This header has the parts of protocol buffers and of proto/sluice.proto that are necessary to
// write messages that no correct library would write.
#ifndef HOSTILE_MESSAGE_H
#define HOSTILE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The field numbers of GuestMessage.body and of HostMessage.body.
enum guest_body {
  HELLO = 2,
  ACKNOWLEDGE = 3,
  SHARE = 4,
  KEYCHAIN_ADD = 9,
  SIGN_IN = 12,
  SIGN_OUT = 13,
  PROVIDED = 17,
  IDENTITY_SWITCH_ANSWER = 18,
  PERFORMED = 19,
  LOG = 20,
  FAILED = 34,
};
enum host_body {
  WELCOME = 2,
  DELIVERY = 5,
  OPENED_URL = 6,
  PROVIDE_ITEM = 7,
  IDENTITY_SWITCH_REQUIRED = 8,
  PERFORM = 10,
  STOP = 11,
};

// A message that is being written. If the content does not fit, this program has an error and
// aborts.
struct message {
  uint8_t bytes[4096];
  size_t length;
};

void put_number(struct message *, unsigned field, uint64_t value);
void put_fixed64(struct message *, unsigned field, uint64_t value);
void put_bytes(struct message *, unsigned field, const void *bytes, size_t length);
void put_text(struct message *, unsigned field, const char *text);
void put_message(struct message *, unsigned field, const struct message *value);

// A part of a message that is being read.
struct slice {
  const uint8_t *bytes;
  size_t length;
};

struct field {
  unsigned number;
  uint64_t value;      // of a number
  struct slice slice;  // of text, bytes or a message
};

// Removes the first field. Returns false at the end and for an invalid message.
bool take_field(struct slice *rest, struct field *field);
// Returns the number or the slice of a field; zero if the message has none.
uint64_t number_in(struct slice message, unsigned field);
struct slice slice_in(struct slice message, unsigned field);

#endif
