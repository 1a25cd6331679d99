// A guest's end of its connection: blocking and buffered in both directions.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

enum { RECEIVED_CAPACITY = 4 };

struct connection {
  int descriptor;
  // Descriptors that came with messages, the first at the front.
  int received[RECEIVED_CAPACITY];
  size_t received_count;
  uint8_t *in;
  size_t in_start, in_end, in_capacity;
  uint8_t *out;
  size_t out_length, out_capacity;
};

enum input { INPUT_READ, INPUT_NONE_YET, INPUT_ENDED, INPUT_FAILED };

// Makes the descriptor blocking, and writing to a host that is gone an error instead of a signal. False if
// memory or the descriptor is missing.
bool connection_open(struct connection *connection, int descriptor, size_t in_capacity, size_t out_capacity);

void connection_close(struct connection *connection);

// Reads once, waiting until there is something to read. What messages were taken before is gone then.
enum input connection_read(struct connection *connection);

// Reads once if there is something to read.
enum input connection_read_available(struct connection *connection);

// Takes a message that has been read completely; it is valid until the next read.
bool connection_next(struct connection *connection, struct bytes *message);

// Takes the first descriptor that has come; -1 if there is none.
int connection_take_descriptor(struct connection *connection);

// Room for a message of at most `limit` bytes behind those that wait to be written; NULL without memory.
uint8_t *connection_begin(struct connection *connection, size_t limit);

// Completes the message begun, which ends at `end`.
void connection_commit(struct connection *connection, const uint8_t *end);

// Writes everything that waits. False with errno when the host is gone.
bool connection_flush(struct connection *connection);

// Commits a Hello, whose name is a short one, and flushes. The host's answer is the first message to come.
bool connection_greet(struct connection *connection, const char *claimed_app);
