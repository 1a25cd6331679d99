#include "connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void send_bytes(const void *bytes, size_t length) {
  for (const char *rest = bytes; length > 0;) {
    ssize_t written = write(CONNECTION, rest, length);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) _exit(EXIT_FAILURE);
    rest += written, length -= (size_t)written;
  }
}

void send_frame(const struct message *message) {
  // The frame is written in one piece. Only modes that intend it therefore send half a frame.
  uint8_t frame[4 + sizeof message->bytes];
  for (int i = 0; i < 4; i++) frame[i] = (uint8_t)(message->length >> 8 * i);
  memcpy(frame + 4, message->bytes, message->length);
  send_bytes(frame, 4 + message->length);
}

void send_message(uint64_t request, enum guest_body body, const struct message *content) {
  struct message message = {.length = 0};
  if (request != 0) put_number(&message, 1, request);
  put_message(&message, body, content);
  send_frame(&message);
}

void send_log(const char *text) {
  struct message log = {.length = 0};
  put_text(&log, 1, text);
  send_message(0, LOG, &log);
}

static size_t put_varint(uint8_t *bytes, uint64_t value) {
  size_t length = 0;
  for (; value > 127; value >>= 7) bytes[length++] = (uint8_t)value | 128;
  bytes[length++] = (uint8_t)value;
  return length;
}

void send_long_text(enum guest_body body, const char *unit, size_t times) {
  const size_t text = strlen(unit) * times;
  uint8_t inner[16], outer[32];
  inner[0] = 1 << 3 | 2;
  const size_t inner_length = 1 + put_varint(inner + 1, text);
  size_t outer_length = put_varint(outer, (uint64_t)body << 3 | 2);
  outer_length += put_varint(outer + outer_length, inner_length + text);
  const size_t length = outer_length + inner_length + text;
  send_bytes((uint8_t[]){length, length >> 8, length >> 16, length >> 24}, 4);
  send_bytes(outer, outer_length);
  send_bytes(inner, inner_length);
  char *all = malloc(text);
  if (all == NULL) exit(EXIT_FAILURE);
  for (size_t i = 0; i < times; i++) memcpy(all + i * strlen(unit), unit, strlen(unit));
  send_bytes(all, text);
  free(all);
}

void send_acknowledge(uint64_t through) {
  struct message acknowledge = {.length = 0};
  put_number(&acknowledge, 1, through);
  send_message(0, ACKNOWLEDGE, &acknowledge);
}

static bool receive_bytes(void *bytes, size_t length) {
  for (char *rest = bytes; length > 0;) {
    ssize_t count = read(CONNECTION, rest, length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    rest += count, length -= (size_t)count;
  }
  return true;
}

struct field receive(void) {
  static uint8_t *message = NULL;
  uint8_t prefix[4];
  if (!receive_bytes(prefix, sizeof prefix)) return (struct field){0};
  size_t length = 0;
  for (int i = 0; i < 4; i++) length |= (size_t)prefix[i] << 8 * i;
  message = realloc(message, length + 1);
  if (message == NULL) abort();
  if (!receive_bytes(message, length)) return (struct field){0};

  // Field 1 is the number of the answered request. All other fields are the body.
  struct slice rest = {message, length};
  struct field field;
  while (take_field(&rest, &field))
    if (field.number != 1) return field;
  fprintf(stderr, "hostile-guest: a message without a body\n");
  exit(EXIT_FAILURE);
}

void read_until_closed(void) {
  while (receive().number != 0) continue;
  exit(EXIT_FAILURE);
}

const char *shake_hands(void) {
  struct message hello = {.length = 0};
  put_number(&hello, 1, 1);
  put_number(&hello, 2, 2);
  put_text(&hello, 3, "com.example.hostile");
  send_message(0, HELLO, &hello);

  struct field answer = receive();
  if (answer.number != WELCOME) {
    fprintf(stderr, "hostile-guest: expected Welcome, got field %u\n", answer.number);
    exit(EXIT_FAILURE);
  }
  static char device[256];
  struct slice name = slice_in(answer.slice, 5);
  snprintf(device, sizeof device, "%.*s", (int)name.length, (const char *)name.bytes);
  return device;
}
