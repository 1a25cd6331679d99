// A guest's connection to the host. It is blocking, and buffered in both directions.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

enum { RECEIVED_CAPACITY = 4 };

struct connection {
  int descriptor;
  // Descriptors that were received with messages, in order of arrival.
  int received[RECEIVED_CAPACITY];
  size_t received_count;
  uint8_t *in;
  size_t in_start, in_end, in_capacity;
  uint8_t *out;
  size_t out_length, out_capacity;
};

enum input { INPUT_READ, INPUT_NONE_YET, INPUT_ENDED, INPUT_FAILED };

// Makes the descriptor blocking, and turns SIGPIPE into an error. Returns false if memory or the
// descriptor is not available.
bool connection_open(struct connection *connection, int descriptor, size_t in_capacity, size_t out_capacity);

void connection_close(struct connection *connection);

// Blocks until input arrives, and reads once. Messages that were taken before become invalid.
enum input connection_read(struct connection *connection);

// Reads once without blocking.
enum input connection_read_available(struct connection *connection);

// Takes a complete message. It is valid until the next read.
bool connection_next(struct connection *connection, struct bytes *message);

// Takes the oldest received descriptor. Returns -1 if there is none.
int connection_take_descriptor(struct connection *connection);

// Returns space for a message of at most `limit` bytes, after the queued messages. Returns NULL if
// memory is exhausted.
uint8_t *connection_begin(struct connection *connection, size_t limit);

// Completes the current message. Its encoding ends at `end`.
void connection_commit(struct connection *connection, const uint8_t *end);

// Writes all queued messages. Returns false and sets errno if the host no longer exists.
bool connection_flush(struct connection *connection);

// Queues a Hello with a short name, and flushes. The host's answer is the first message to arrive.
bool connection_greet(struct connection *connection, const char *claimed_app);
