// The reference broker: routes protobuf-c messages between two guests over libuv pipes, as simply
// and as fast as C allows. It uses Sluice's frames and handshake, but does not decide, tag or
// record. The difference in cost is the price of Sluice's guarantees.
//
// usage: broker PEER rt|tp SIZE COUNT

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "buffer.h"
#include "frame.h"
#include "guest-process.h"
#include "host-frame.h"

enum {
  // A single buffer for all guests. It is used only during a read callback.
  READ_CAPACITY = 256 * 1024,
  // The limit on frames from guests, as in Sluice. A frame that does not fit into the buffer is
  // assembled in the guest's own buffer.
  FRAME_LIMIT = (16 << 20) - (64 << 10),
  // When the receiver's outbox reaches this size, reading from its sender pauses until the outbox
  // has drained.
  OUTBOX_HIGH = 1024 * 1024,
  OUTBOX_LOW = OUTBOX_HIGH / 4,
  // An upper bound for the size of an Outcome without reasons, and of a Delivery without its item
  // and sender name.
  ENVELOPE_ROOM = 128,
  SENDER = 0,
  RECEIVER = 1,
  GUEST_COUNT = 2,
};

// A delivery with a sender that waits for the outcome.
struct awaited {
  uint64_t sequence;
  uint64_t request;
  struct guest *sender;
};

// Awaited deliveries in a ring buffer, the oldest first. The capacity is a power of two.
struct awaited_queue {
  struct awaited *entries;
  size_t first;
  size_t count;
  size_t capacity;
};

struct guest {
  struct broker *broker;
  char *name;
  char *app;
  uv_process_t process;
  uv_pipe_t pipe;
  bool welcomed;
  bool connected;
  // The first part of an incomplete frame.
  struct buffer partial;
  // The queued frames, and the frames that the current uv_write writes.
  struct buffer outbox;
  struct buffer in_flight;
  uv_write_t write;
  bool writing;
  // The guest with the full outbox that pauses this guest.
  struct guest *paused_by;
  uint64_t deliveries;
  struct awaited_queue awaited;
};

struct broker {
  uv_loop_t loop;
  struct guest guests[GUEST_COUNT];
  bool failed;
  ProtobufCAllocator allocator;
  struct arena arena;
  uint8_t read_buffer[READ_CAPACITY];
};

// ---- awaited deliveries

static struct awaited *awaited_at(struct awaited_queue *queue, size_t index) {
  return &queue->entries[(queue->first + index) & (queue->capacity - 1)];
}

static void awaited_grow(struct awaited_queue *queue) {
  size_t capacity = queue->capacity ? 2 * queue->capacity : 64;
  struct awaited *entries = malloc(capacity * sizeof *entries);
  if (!entries) {
    perror("malloc");
    abort();
  }
  for (size_t i = 0; i < queue->count; i++) entries[i] = *awaited_at(queue, i);
  free(queue->entries);
  *queue = (struct awaited_queue){.entries = entries, .count = queue->count, .capacity = capacity};
}

static void awaited_push(struct awaited_queue *queue, struct awaited entry) {
  if (queue->count == queue->capacity) awaited_grow(queue);
  *awaited_at(queue, queue->count++) = entry;
}

static void awaited_pop(struct awaited_queue *queue) {
  queue->first++;
  queue->count--;
}

// ---- writing

static void resume_writers_to(struct guest *guest);

static void on_written(uv_write_t *write, int status);

static void write_rest(struct guest *guest, size_t written) {
  struct buffer rest = guest->outbox;
  guest->outbox = guest->in_flight;
  guest->outbox.length = 0;
  guest->in_flight = rest;
  guest->writing = true;
  uv_buf_t bytes = uv_buf_init((char *)rest.bytes + written, (unsigned)(rest.length - written));
  int error = uv_write(&guest->write, (uv_stream_t *)&guest->pipe, &bytes, 1, on_written);
  // As in flush, the read callback handles the loss of a guest.
  if (error) guest->writing = false;
}

// Writes the outbox. If a write is in progress, does nothing, because its completion flushes again.
static void flush(struct guest *guest) {
  if (!guest->connected || guest->writing || guest->outbox.length == 0) return;
  uv_buf_t bytes = uv_buf_init((char *)guest->outbox.bytes, (unsigned)guest->outbox.length);
  int written = uv_try_write((uv_stream_t *)&guest->pipe, &bytes, 1);
  if (written == UV_EAGAIN) written = 0;
  // The read callback handles the loss of a guest. Until then, its frames are discarded.
  if (written < 0 || (size_t)written == guest->outbox.length) {
    guest->outbox.length = 0;
    return;
  }
  write_rest(guest, (size_t)written);
}

static void flush_all(struct broker *broker) {
  for (int i = 0; i < GUEST_COUNT; i++) flush(&broker->guests[i]);
}

static void on_written(uv_write_t *write, int status) {
  struct guest *guest = write->handle->data;
  guest->writing = false;
  guest->in_flight.length = 0;
  if (status < 0) return;
  flush(guest);
  if (guest->outbox.length + guest->in_flight.length <= OUTBOX_LOW) resume_writers_to(guest);
}

// ---- losing a guest

static void disconnect(struct guest *guest);

// A guest that has not completed its handshake expects no Stop, so its connection is just closed.
static void stop(struct guest *guest) {
  if (!guest->welcomed) {
    disconnect(guest);
    return;
  }
  host_frame_append_stop(&guest->outbox);
  flush(guest);
}

// The benchmark ends when either guest disconnects, so the other guest is stopped.
static void disconnect(struct guest *guest) {
  if (!guest->connected) return;
  guest->connected = false;
  uv_close((uv_handle_t *)&guest->pipe, NULL);
  resume_writers_to(guest);
  for (int i = 0; i < GUEST_COUNT; i++) {
    struct guest *other = &guest->broker->guests[i];
    if (other->connected) stop(other);
  }
}

static void reject(struct guest *guest, const char *why) {
  fprintf(stderr, "broker: guest `%s` %s\n", guest->name, why);
  guest->broker->failed = true;
  disconnect(guest);
}

// ---- routing

static void append_outcome(struct guest *guest, uint64_t request, Sluice__Verdict verdict, Sluice__End end) {
  Sluice__Outcome outcome = SLUICE__OUTCOME__INIT;
  outcome.verdict = verdict;
  outcome.end = end;
  Sluice__HostMessage message = SLUICE__HOST_MESSAGE__INIT;
  message.request = request;
  message.body_case = SLUICE__HOST_MESSAGE__BODY_OUTCOME;
  message.outcome = &outcome;
  host_frame_append_within(&guest->outbox, &message, ENVELOPE_ROOM);
}

// `item` was part of a message of `received` bytes. Its encoding takes at most twice as many bytes,
// because only negative numbers grow, from five bytes to ten.
static void append_delivery(struct guest *guest, const struct guest *sender, Sluice__Item *item,
                            size_t received) {
  Sluice__Delivery delivery = SLUICE__DELIVERY__INIT;
  delivery.sequence = ++guest->deliveries;
  delivery.item = item;
  delivery.sender = sender->app;
  Sluice__HostMessage message = SLUICE__HOST_MESSAGE__INIT;
  message.body_case = SLUICE__HOST_MESSAGE__BODY_DELIVERY;
  message.delivery = &delivery;
  host_frame_append_within(&guest->outbox, &message, 2 * received + strlen(sender->app) + ENVELOPE_ROOM);
}

static struct guest *find_guest(struct broker *broker, const char *destination) {
  for (int i = 0; i < GUEST_COUNT; i++) {
    struct guest *guest = &broker->guests[i];
    if (strcmp(guest->name, destination) == 0 || strcmp(guest->app, destination) == 0) return guest;
  }
  return NULL;
}

static void pause_reading(struct guest *guest, struct guest *until) {
  guest->paused_by = until;
  uv_read_stop((uv_stream_t *)&guest->pipe);
}

static void route_share(struct guest *sender, uint64_t request, const Sluice__Share *share, size_t received) {
  struct guest *receiver = find_guest(sender->broker, share->destination);
  if (!receiver || !receiver->welcomed || !receiver->connected || !share->item) {
    append_outcome(sender, request, SLUICE__VERDICT__VERDICT_ALLOWED, SLUICE__END__END_UNDELIVERABLE);
    return;
  }
  append_delivery(receiver, sender, share->item, received);
  if (!share->posted) {
    awaited_push(&receiver->awaited, (struct awaited){receiver->deliveries, request, sender});
  }
}

static void acknowledge(struct guest *receiver, uint64_t through) {
  struct awaited_queue *queue = &receiver->awaited;
  while (queue->count > 0 && awaited_at(queue, 0)->sequence <= through) {
    struct awaited *entry = awaited_at(queue, 0);
    append_outcome(entry->sender, entry->request, SLUICE__VERDICT__VERDICT_ALLOWED,
                   SLUICE__END__END_DELIVERED);
    awaited_pop(queue);
  }
}

static void welcome(struct guest *guest, uint64_t request, const Sluice__Hello *hello) {
  if (hello->transport != TRANSPORT_VERSION || hello->application != APPLICATION_VERSION) {
    host_frame_append_rejected(&guest->outbox, request, "unknown version");
    flush(guest);
    reject(guest, "speaks an unknown version");
    return;
  }
  guest->welcomed = true;
  host_frame_append_welcome(&guest->outbox, request, guest->name, guest->app, FRAME_LIMIT);
}

static void route(struct guest *guest, const Sluice__GuestMessage *message, size_t received) {
  if (!guest->welcomed && message->body_case != SLUICE__GUEST_MESSAGE__BODY_HELLO) {
    reject(guest, "spoke before its handshake");
    return;
  }
  switch (message->body_case) {
    case SLUICE__GUEST_MESSAGE__BODY_SHARE:
      route_share(guest, message->request, message->share, received);
      break;
    case SLUICE__GUEST_MESSAGE__BODY_ACKNOWLEDGE:
      acknowledge(guest, message->acknowledge->through);
      break;
    case SLUICE__GUEST_MESSAGE__BODY_HELLO:
      welcome(guest, message->request, message->hello);
      break;
    default:
      reject(guest, "sent a message that the reference does not serve");
  }
}

// ---- reading

// A message's data does not outlive its routing, so the arena is reset for each message. All
// messages are therefore unpacked into the same few cache lines.
static void take_message(struct guest *guest, const uint8_t *bytes, size_t length) {
  struct broker *broker = guest->broker;
  arena_reset(&broker->arena);
  Sluice__GuestMessage *message = sluice__guest_message__unpack(&broker->allocator, length, bytes);
  if (message) {
    route(guest, message, length);
  } else {
    reject(guest, "sent a malformed message");
  }
}

// Routes all complete frames, and returns their size in bytes.
static size_t take_frames(struct guest *guest, const uint8_t *bytes, size_t length) {
  size_t used = 0;
  while (guest->connected && length - used >= FRAME_HEADER) {
    size_t message = frame_length(bytes + used);
    if (message > FRAME_LIMIT) {
      reject(guest, "sent a frame beyond the limit");
      break;
    }
    if (length - used - FRAME_HEADER < message) break;
    take_message(guest, bytes + used + FRAME_HEADER, message);
    used += FRAME_HEADER + message;
  }
  return used;
}

// Returns the length of an incomplete frame that does not fit into the shared buffer; 0 if there is
// none.
static size_t large_frame(const struct buffer *partial) {
  if (partial->length < FRAME_HEADER) return 0;
  size_t whole = FRAME_HEADER + (size_t)frame_length(partial->bytes);
  return whole > READ_CAPACITY ? whole : 0;
}

// Moves the incomplete frame in front of the space for reading, so frames are always contiguous.
static void on_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)suggested;
  struct guest *guest = handle->data;
  struct buffer *partial = &guest->partial;
  size_t whole = large_frame(partial);
  if (whole > 0) {
    size_t rest = whole - partial->length;
    *buffer = uv_buf_init((char *)buffer_reserve(partial, rest), (unsigned)rest);
    return;
  }
  uint8_t *bytes = guest->broker->read_buffer;
  if (partial->length > 0) memcpy(bytes, partial->bytes, partial->length);
  *buffer = uv_buf_init((char *)bytes + partial->length, (unsigned)(READ_CAPACITY - partial->length));
}

static void pause_if_ahead(struct guest *guest) {
  for (int i = 0; i < GUEST_COUNT; i++) {
    struct guest *other = &guest->broker->guests[i];
    if (other != guest && other->writing && other->outbox.length > OUTBOX_HIGH) pause_reading(guest, other);
  }
}

static void take_large(struct guest *guest, size_t whole, size_t count) {
  guest->partial.length += count;
  if (guest->partial.length < whole) return;
  take_frames(guest, guest->partial.bytes, whole);
  guest->partial.length = 0;
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  (void)buffer;
  struct guest *guest = stream->data;
  struct broker *broker = guest->broker;
  if (count == 0) return;
  size_t whole = large_frame(&guest->partial);
  if (count < 0) {
    disconnect(guest);
  } else if (whole > 0) {
    take_large(guest, whole, (size_t)count);
  } else {
    size_t length = guest->partial.length + (size_t)count;
    size_t used = take_frames(guest, broker->read_buffer, length);
    buffer_set(&guest->partial, broker->read_buffer + used, length - used);
  }
  flush_all(broker);
  if (guest->connected) pause_if_ahead(guest);
}

static void resume_writers_to(struct guest *guest) {
  for (int i = 0; i < GUEST_COUNT; i++) {
    struct guest *writer = &guest->broker->guests[i];
    if (writer->paused_by != guest) continue;
    writer->paused_by = NULL;
    if (writer->connected) uv_read_start((uv_stream_t *)&writer->pipe, on_allocate, on_read);
  }
}

// ---- guests and their lives

static void on_exit_of_guest(uv_process_t *process, int64_t status, int signal_number) {
  struct guest *guest = process->data;
  if (status != 0 || signal_number != 0 || !guest->welcomed) {
    fprintf(stderr, "broker: guest `%s` ended %s its handshake with status %lld, signal %d\n", guest->name,
            guest->welcomed ? "after" : "before", (long long)status, signal_number);
    guest->broker->failed = true;
  }
  uv_close((uv_handle_t *)process, NULL);
}

static int start(struct broker *broker, int index, char *name, char *app, char **arguments) {
  struct guest *guest = &broker->guests[index];
  guest->broker = broker;
  guest->name = name;
  guest->app = app;
  int error = guest_process_spawn(&broker->loop, &guest->process, &guest->pipe, arguments, on_exit_of_guest);
  if (error) {
    fprintf(stderr, "broker: cannot start `%s`: %s\n", arguments[0], uv_strerror(error));
    return error;
  }
  guest->process.data = guest;
  guest->pipe.data = guest;
  guest->connected = true;
  return uv_read_start((uv_stream_t *)&guest->pipe, on_allocate, on_read);
}

static void release(struct broker *broker) {
  for (int i = 0; i < GUEST_COUNT; i++) {
    struct guest *guest = &broker->guests[i];
    buffer_free(&guest->partial);
    buffer_free(&guest->outbox);
    buffer_free(&guest->in_flight);
    free(guest->awaited.entries);
  }
  uv_loop_close(&broker->loop);
}

int main(int count, char **arguments) {
  if (count != 5) {
    fprintf(stderr, "usage: %s PEER rt|tp SIZE COUNT\n", arguments[0]);
    return 64;
  }
  static struct broker broker;
  broker.allocator = arena_allocator(&broker.arena);
  signal(SIGPIPE, SIG_IGN);
  uv_loop_init(&broker.loop);

  char *peer = arguments[1], *mode = arguments[2], *size = arguments[3], *messages = arguments[4];
  char *sender[] = {peer, "send", "b", mode, size, messages, "1", NULL};
  char *receiver[] = {peer, "receive", NULL};
  if (start(&broker, SENDER, "a", "org.sluice.benchmark.sender", sender)) return 1;
  if (start(&broker, RECEIVER, "b", "org.sluice.benchmark.receiver", receiver)) return 1;

  uv_run(&broker.loop, UV_RUN_DEFAULT);
  release(&broker);
  return broker.failed ? 1 : 0;
}
