#include "message.h"

#include <stdlib.h>
#include <string.h>

enum wire_type { VARINT = 0, FIXED64 = 1, LENGTH = 2 };

static void put(struct message *message, const void *bytes, size_t length) {
  if (length > sizeof message->bytes - message->length) abort();
  memcpy(message->bytes + message->length, bytes, length);
  message->length += length;
}

static void put_varint(struct message *message, uint64_t value) {
  for (; value >= 0x80; value >>= 7) put(message, &(uint8_t){(uint8_t)(value | 0x80)}, 1);
  put(message, &(uint8_t){(uint8_t)value}, 1);
}

static void put_key(struct message *message, unsigned field, enum wire_type type) {
  put_varint(message, (uint64_t)field << 3 | type);
}

void put_number(struct message *message, unsigned field, uint64_t value) {
  put_key(message, field, VARINT);
  put_varint(message, value);
}

void put_fixed64(struct message *message, unsigned field, uint64_t value) {
  put_key(message, field, FIXED64);
  for (int shift = 0; shift < 64; shift += 8)
    put(message, &(uint8_t){(uint8_t)(value >> shift)}, 1);
}

void put_bytes(struct message *message, unsigned field, const void *bytes, size_t length) {
  put_key(message, field, LENGTH);
  put_varint(message, length);
  put(message, bytes, length);
}

void put_text(struct message *message, unsigned field, const char *text) {
  put_bytes(message, field, text, strlen(text));
}

void put_message(struct message *message, unsigned field, const struct message *value) {
  put_bytes(message, field, value->bytes, value->length);
}

static bool take_varint(struct slice *rest, uint64_t *value) {
  *value = 0;
  for (int shift = 0; shift < 64 && rest->length > 0; shift += 7) {
    uint8_t byte = *rest->bytes;
    rest->bytes++, rest->length--;
    *value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool take_field(struct slice *rest, struct field *field) {
  *field = (struct field){0};
  uint64_t key, length;
  if (!take_varint(rest, &key)) return false;
  field->number = (unsigned)(key >> 3);
  switch (key & 7) {
    case VARINT:
      return take_varint(rest, &field->value);
    case FIXED64:
      length = 8;
      break;
    case LENGTH:
      if (!take_varint(rest, &length)) return false;
      break;
    default:
      return false;
  }
  if (length > rest->length) return false;
  field->slice = (struct slice){rest->bytes, length};
  rest->bytes += length, rest->length -= length;
  return true;
}

static struct field field_in(struct slice message, unsigned number) {
  struct field field;
  while (take_field(&message, &field))
    if (field.number == number) return field;
  return (struct field){0};
}

uint64_t number_in(struct slice message, unsigned field) { return field_in(message, field).value; }

struct slice slice_in(struct slice message, unsigned field) {
  return field_in(message, field).slice;
}
