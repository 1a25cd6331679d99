// A handwritten message encoding for guests. It keeps their cost out of measurements of the host.
// Field numbers are those of proto/sluice.proto.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
  const uint8_t *start;
  size_t length;
};

// A field as encoded: `value` for a number, or `bytes` for a length-delimited field.
struct field {
  uint32_t number;
  uint64_t value;
  struct bytes bytes;
};

// Takes the next field from `rest`. Returns false at the end of the input, when `rest` is empty,
// and for malformed input, when it is not.
bool wire_next_field(struct bytes *rest, struct field *field);

// These functions encode a value or a tagged field, and return the end of the output.
uint8_t *wire_put_varint(uint8_t *to, uint64_t value);
uint8_t *wire_put_number(uint8_t *to, uint32_t field, uint64_t value);
uint8_t *wire_put_bytes(uint8_t *to, uint32_t field, struct bytes content);
uint8_t *wire_put_string(uint8_t *to, uint32_t field, const char *content);

enum {
  // The maximum size of a tag together with a number or a length.
  WIRE_HEADER_ROOM = 15,
};

enum guest_body {
  GUEST_HELLO = 2,
  GUEST_ACKNOWLEDGE = 3,
  GUEST_SHARE = 4,
  GUEST_COMPLETE = 15,
  GUEST_LOAD = 31,
  GUEST_RELEASE = 56,
};

enum host_body {
  HOST_NOTHING = 0,
  HOST_WELCOME = 2,
  HOST_REJECTED = 3,
  HOST_OUTCOME = 4,
  HOST_DELIVERY = 5,
  HOST_STOP = 11,
  HOST_EXTENSION_REQUEST = 14,
  HOST_SHARED_MEMORY = 56,
  HOST_RELEASE = 57,
};

struct host_message {
  uint64_t request;
  enum host_body kind;
  struct bytes body;
};

// Returns false if `encoded` is malformed.
bool wire_read_host_message(struct bytes encoded, struct host_message *message);
