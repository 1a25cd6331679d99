#include "wire.h"

#include <string.h>

enum wire_type { TYPE_VARINT = 0, TYPE_FIXED64 = 1, TYPE_BYTES = 2, TYPE_FIXED32 = 5 };

static bool take_varint(struct bytes *rest, uint64_t *value) {
  uint64_t result = 0;
  for (unsigned i = 0; i < rest->length && i < 10; i++) {
    uint8_t byte = rest->start[i];
    result |= (uint64_t)(byte & 0x7f) << (7 * i);
    if (byte & 0x80) continue;
    *rest = (struct bytes){rest->start + i + 1, rest->length - i - 1};
    *value = result;
    return true;
  }
  return false;
}

static bool take_bytes(struct bytes *rest, uint64_t length, struct bytes *taken) {
  if (length > rest->length) return false;
  *taken = (struct bytes){rest->start, (size_t)length};
  *rest = (struct bytes){rest->start + length, rest->length - (size_t)length};
  return true;
}

static bool take_content(struct bytes *rest, enum wire_type type, struct field *field) {
  uint64_t length;
  switch (type) {
    case TYPE_VARINT: return take_varint(rest, &field->value);
    case TYPE_FIXED64: return take_bytes(rest, 8, &field->bytes);
    case TYPE_BYTES: return take_varint(rest, &length) && take_bytes(rest, length, &field->bytes);
    case TYPE_FIXED32: return take_bytes(rest, 4, &field->bytes);
    default: return false;
  }
}

bool wire_next_field(struct bytes *rest, struct field *field) {
  if (rest->length == 0) return false;
  struct bytes after = *rest;
  uint64_t tag;
  *field = (struct field){0};
  if (!take_varint(&after, &tag) || !take_content(&after, (enum wire_type)(tag & 7), field)) return false;
  field->number = (uint32_t)(tag >> 3);
  *rest = after;
  return true;
}

uint8_t *wire_put_varint(uint8_t *to, uint64_t value) {
  while (value >= 0x80) {
    *to++ = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  *to++ = (uint8_t)value;
  return to;
}

static uint8_t *put_tag(uint8_t *to, uint32_t field, enum wire_type type) {
  return wire_put_varint(to, (uint64_t)field << 3 | (uint64_t)type);
}

uint8_t *wire_put_number(uint8_t *to, uint32_t field, uint64_t value) {
  return wire_put_varint(put_tag(to, field, TYPE_VARINT), value);
}

uint8_t *wire_put_bytes(uint8_t *to, uint32_t field, struct bytes content) {
  to = wire_put_varint(put_tag(to, field, TYPE_BYTES), content.length);
  if (content.length > 0) memcpy(to, content.start, content.length);
  return to + content.length;
}

uint8_t *wire_put_string(uint8_t *to, uint32_t field, const char *content) {
  return wire_put_bytes(to, field, (struct bytes){(const uint8_t *)content, strlen(content)});
}

bool wire_read_host_message(struct bytes encoded, struct host_message *message) {
  *message = (struct host_message){0};
  struct field field;
  while (wire_next_field(&encoded, &field)) {
    if (field.number == 1) {
      message->request = field.value;
    } else {
      message->kind = (enum host_body)field.number;
      message->body = field.bytes;
    }
  }
  return encoded.length == 0;
}
