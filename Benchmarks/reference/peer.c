// The guest for benchmarks of both brokers: the reference broker and Sluice's host.
//
// usage: peer send DESTINATION rt|tp SIZE COUNT [REPORT]
//        peer receive
//        peer extend TYPE
//
// rt: sends COUNT shares of SIZE bytes, each after the outcome of the previous one.
// tp: posts COUNT shares as fast as the host accepts them, then sends one and waits for its outcome.
//
// Every payload is different, derived from a counter, and the receiver reads all of it. The receiver exits with
// an error if one is missing, out of order or corrupted, so a result means that everything arrived. REPORT, the
// destination of the result line, is a descriptor number, or a path written in addition to standard error. The
// default is `result`.
//
// extend: an extension that loads its single attachment as TYPE, and completes.

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

#include "connection.h"
#include "frame.h"
#include "fresh.h"
#include "memory.h"

enum {
  IN_CAPACITY = 256 * 1024,
  // The size of a batch of posted shares.
  BATCH = 64 * 1024,
  // The maximum number of deliveries that one read finds in the inbox.
  READ_CAPACITY = 4096,
  COUNTER_SIZE = 8,
  // The warm-up ends after this many messages or bytes, whichever comes first. It does not depend
  // on COUNT, so it cancels out in the difference between two counts.
  WARM_UP_ROUND_TRIPS = 1000,
  WARM_UP_POSTED = 10000,
  WARM_UP_BYTES = 64 * 1024 * 1024,
  FIRST_SHARE_PATIENCE_MS = 30000,
  FIRST_SHARE_PAUSE_MS = 10,
};

_Noreturn static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("peer: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  exit(EXIT_FAILURE);
}

static uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// ---- the connection, with every exit from it

static struct host_message read_host_message(struct bytes encoded) {
  struct host_message message;
  if (!wire_read_host_message(encoded, &message)) fail("malformed message from the host");
  return message;
}

static uint8_t *begin(struct connection *connection, size_t limit) {
  uint8_t *to = connection_begin(connection, limit);
  if (!to) fail("no memory for a message of %zu bytes", limit);
  return to;
}

static void flush(struct connection *connection) {
  if (!connection_flush(connection)) fail("cannot write: %s", strerror(errno));
}

static void adopt_memory(struct memory *memory, struct connection *connection, struct bytes body, size_t size) {
  if (!memory_adopt(memory, body, connection_take_descriptor(connection), size)) {
    fail("cannot map memory: %s", strerror(errno));
  }
}

// Returns the last field with that number in `message`; a zeroed field if there is none.
static struct field find_field(struct bytes message, uint32_t number) {
  struct field field, found = {0};
  while (wire_next_field(&message, &field)) {
    if (field.number == number) found = field;
  }
  return found;
}

struct welcome {
  // The maximum size of a frame to the host.
  size_t frame_limit;
  char device[32];
};

// Replaces spaces. Device names may contain spaces, but words in a result line may not.
static void copy_word(char *to, size_t capacity, struct bytes from) {
  size_t length = from.length < capacity - 1 ? from.length : capacity - 1;
  for (size_t i = 0; i < length; i++) {
    uint8_t byte = from.start[i];
    to[i] = byte > ' ' && byte < 0x7f && byte != '=' ? (char)byte : '_';
  }
  to[length] = 0;
}

static struct host_message await_answer_to_hello(struct connection *connection) {
  struct bytes encoded;
  while (!connection_next(connection, &encoded)) {
    if (connection_read(connection) != INPUT_READ) fail("the host ended the handshake");
  }
  return read_host_message(encoded);
}

static struct welcome shake_hands(struct connection *connection, size_t out_capacity) {
  if (!connection_open(connection, GUEST_DESCRIPTOR, IN_CAPACITY, out_capacity) ||
      !connection_greet(connection, "peer")) {
    fail("descriptor %d is no connection: %s", GUEST_DESCRIPTOR, strerror(errno));
  }
  struct host_message answer = await_answer_to_hello(connection);
  if (answer.kind == HOST_REJECTED) {
    struct bytes reason = find_field(answer.body, 1).bytes;
    fail("rejected: %.*s", (int)reason.length, (const char *)reason.start);
  }
  if (answer.kind != HOST_WELCOME) fail("the host answered hello with message %d", (int)answer.kind);
  struct welcome welcome = {.frame_limit = (size_t)find_field(answer.body, 6).value};
  copy_word(welcome.device, sizeof welcome.device, find_field(answer.body, 5).bytes);
  return welcome;
}

// ---- receiving

struct receiver {
  struct connection connection;
  // The sequence numbers of the last delivery, and of the last delivery acknowledged to the host.
  uint64_t delivered, acknowledged;
  uint64_t expected_counter;
  struct memory memory;
  // The offsets of the inbox payloads that have been read.
  uint64_t read[READ_CAPACITY];
  size_t read_count;
};

// Reads the relevant fields of an Item.
static struct bytes read_item(struct receiver *receiver, struct bytes item) {
  struct bytes payload = {0};
  struct field field;
  while (wire_next_field(&item, &field)) {
    if (field.number == 3) payload = field.bytes;
    if (field.number == 4) {
      if (receiver->read_count == READ_CAPACITY) fail("more payloads at once than expected");
      payload = memory_find(&receiver->memory, field.bytes, &receiver->read[receiver->read_count++]);
    }
  }
  return payload;
}

// Reads the relevant fields of a Delivery and its Item, in one pass over each.
static struct bytes read_delivery(struct receiver *receiver, struct bytes delivery, uint64_t *sequence) {
  struct bytes item = {0};
  struct field field;
  while (wire_next_field(&delivery, &field)) {
    if (field.number == 1) *sequence = field.value;
    if (field.number == 2) item = field.bytes;
    if (field.number == 4 && field.value) fail("an item arrived encrypted");
  }
  return read_item(receiver, item);
}

// Checks a payload's counter. Counter 0 marks a first share, which may be repeated. Later counters
// increase from 1 without gaps.
static void check_counter(struct receiver *receiver, struct bytes payload) {
  uint64_t counter;
  if (payload.length < COUNTER_SIZE) fail("a payload of %zu bytes has no counter", payload.length);
  memcpy(&counter, payload.start, COUNTER_SIZE);
  if (counter != 0 && counter != receiver->expected_counter) {
    fail("item %llu arrived where %llu was due", (unsigned long long)counter,
         (unsigned long long)receiver->expected_counter);
  }
  if (!fresh_is(payload.start, payload.length, counter)) fail("item %llu is not as it was", (unsigned long long)counter);
  receiver->expected_counter = counter + 1;
}

static void receive_delivery(struct receiver *receiver, struct bytes delivery) {
  uint64_t sequence = 0;
  struct bytes payload = read_delivery(receiver, delivery, &sequence);
  if (sequence != receiver->delivered + 1) {
    fail("delivery %llu came after %llu", (unsigned long long)sequence,
         (unsigned long long)receiver->delivered);
  }
  receiver->delivered = sequence;
  check_counter(receiver, payload);
}

static void release(struct connection *connection, uint64_t offset) {
  uint8_t content[WIRE_HEADER_ROOM];
  uint8_t *end = wire_put_number(content, 1, offset);
  struct bytes release = {content, (size_t)(end - content)};
  uint8_t *message = begin(connection, WIRE_HEADER_ROOM + release.length);
  connection_commit(connection, wire_put_bytes(message, GUEST_RELEASE, release));
}

static void acknowledge(struct receiver *receiver) {
  while (receiver->read_count > 0) release(&receiver->connection, receiver->read[--receiver->read_count]);
  if (receiver->delivered == receiver->acknowledged) return;
  uint8_t content[WIRE_HEADER_ROOM];
  uint8_t *end = wire_put_number(content, 1, receiver->delivered);
  struct bytes acknowledge = {content, (size_t)(end - content)};
  uint8_t *message = begin(&receiver->connection, WIRE_HEADER_ROOM + acknowledge.length);
  connection_commit(&receiver->connection, wire_put_bytes(message, GUEST_ACKNOWLEDGE, acknowledge));
  flush(&receiver->connection);
  receiver->acknowledged = receiver->delivered;
}

// Handles all input from the last read. Returns false after a Stop.
static bool receive_batch(struct receiver *receiver) {
  struct bytes encoded;
  while (connection_next(&receiver->connection, &encoded)) {
    struct host_message message = read_host_message(encoded);
    if (message.kind == HOST_STOP) return false;
    if (message.kind == HOST_DELIVERY) receive_delivery(receiver, message.body);
    if (message.kind == HOST_SHARED_MEMORY) adopt_memory(&receiver->memory, &receiver->connection, message.body, 0);
  }
  return true;
}

static int receive(void) {
  static struct receiver receiver = {.expected_counter = 1};
  shake_hands(&receiver.connection, 256);
  while (receive_batch(&receiver)) {
    acknowledge(&receiver);
    enum input input = connection_read(&receiver.connection);
    if (input == INPUT_FAILED) fail("cannot read: %s", strerror(errno));
    if (input == INPUT_ENDED) break;
  }
  connection_close(&receiver.connection);
  return EXIT_SUCCESS;
}

// ---- extending

static void ask(struct connection *connection, uint64_t request, uint32_t kind, struct bytes body) {
  uint8_t *to = begin(connection, 3 * WIRE_HEADER_ROOM + body.length);
  to = wire_put_number(to, 1, request);
  connection_commit(connection, wire_put_bytes(to, kind, body));
  flush(connection);
}

static void load(struct connection *connection, const char *type) {
  uint8_t content[128];
  if (strlen(type) + WIRE_HEADER_ROOM > sizeof content) fail("the type `%s` is too long", type);
  const uint8_t *end = wire_put_string(content, 3, type);
  ask(connection, 1, GUEST_LOAD, (struct bytes){content, (size_t)(end - content)});
}

static int extend(const char *type) {
  struct connection connection;
  struct bytes encoded;
  shake_hands(&connection, 256);
  for (;;) {
    while (connection_next(&connection, &encoded)) {
      struct host_message message = read_host_message(encoded);
      if (message.kind == HOST_STOP) return EXIT_SUCCESS;
      if (message.kind == HOST_EXTENSION_REQUEST) load(&connection, type);
      if (message.kind == HOST_OUTCOME && message.request == 1) ask(&connection, 2, GUEST_COMPLETE, (struct bytes){0});
    }
    enum input input = connection_read(&connection);
    if (input == INPUT_FAILED) fail("cannot read: %s", strerror(errno));
    if (input == INPUT_ENDED) return EXIT_SUCCESS;
  }
}

// ---- shares

struct share_description {
  const char *destination;
  size_t size;
  bool posted;
};

// A share that is encoded once. Afterwards, only its payload changes.
struct share {
  struct share_description description;
  uint8_t *encoded;
  size_t length;
  size_t payload_offset;
};

// Encodes `inner` as a field, and adjusts the offset of the counter accordingly.
static uint8_t *put_nested(uint8_t *to, uint32_t field, const uint8_t *inner, const uint8_t *inner_end,
                           size_t *counter_offset) {
  size_t length = (size_t)(inner_end - inner);
  uint8_t *start = to;
  uint8_t *end = wire_put_bytes(to, field, (struct bytes){inner, length});
  *counter_offset += (size_t)(end - start) - length;
  return end;
}

static struct share encode_share(struct share_description description) {
  size_t room = description.size + strlen(description.destination) + 128;
  uint8_t *payload = calloc(1, room), *item = malloc(room), *body = malloc(room), *encoded = malloc(room);
  if (!payload || !item || !body || !encoded) fail("no memory for shares of %zu bytes", description.size);

  size_t offset = 0;
  uint8_t *item_end = wire_put_string(item, 1, "public.data");
  offset += (size_t)(item_end - item);
  item_end = put_nested(item_end, 3, payload, payload + description.size, &offset);

  uint8_t *body_end = wire_put_string(body, 1, description.destination);
  offset += (size_t)(body_end - body);
  body_end = put_nested(body_end, 2, item, item_end, &offset);
  if (description.posted) body_end = wire_put_number(body_end, 6, 1);

  uint8_t *end = put_nested(encoded, GUEST_SHARE, body, body_end, &offset);
  free(payload);
  free(item);
  free(body);
  return (struct share){
    .description = description, .encoded = encoded, .length = (size_t)(end - encoded), .payload_offset = offset};
}

enum { SHARED_SHARE_ROOM = 512 };

// Encodes the share with its payload in the outbox.
static uint8_t *put_shared_share(uint8_t *to, const struct share *share, uint64_t offset) {
  struct share_description description = share->description;
  uint8_t shared[32], item[64], body[SHARED_SHARE_ROOM];
  uint8_t *end = wire_put_number(shared, 1, offset);
  end = wire_put_number(end, 2, description.size);
  uint8_t *item_end = wire_put_string(item, 1, "public.data");
  item_end = wire_put_bytes(item_end, 4, (struct bytes){shared, (size_t)(end - shared)});
  uint8_t *body_end = wire_put_string(body, 1, description.destination);
  body_end = wire_put_bytes(body_end, 2, (struct bytes){item, (size_t)(item_end - item)});
  if (description.posted) body_end = wire_put_number(body_end, 6, 1);
  return wire_put_bytes(to, GUEST_SHARE, (struct bytes){body, (size_t)(body_end - body)});
}

// Encodes the share with a payload derived from `counter`.
static uint8_t *put_inline_share(uint8_t *to, const struct share *share, uint64_t counter) {
  size_t payload_end = share->payload_offset + share->description.size;
  memcpy(to, share->encoded, share->payload_offset);
  fresh_fill(to + share->payload_offset, share->description.size, counter);
  memcpy(to + payload_end, share->encoded + payload_end, share->length - payload_end);
  return to + share->length;
}

// ---- sending

struct outcome {
  uint64_t verdict;
  uint64_t end;
  // The code of the first rule among the reasons.
  struct bytes rule;
};

enum { END_DELIVERED = 0 };

struct sender {
  struct connection connection;
  struct share awaited, posted;
  struct memory memory;
  uint64_t request;
  uint64_t counter;
};

static uint64_t append(struct sender *sender, const struct share *share, uint64_t counter) {
  uint64_t request = ++sender->request, offset;
  bool is_shared = share->description.size >= SHARED_LEAST && memory_take(&sender->memory, &offset);
  uint8_t *message =
    begin(&sender->connection, WIRE_HEADER_ROOM + (is_shared ? 2 * SHARED_SHARE_ROOM : share->length));
  uint8_t *body = wire_put_number(message, 1, request);
  if (is_shared) {
    fresh_fill(sender->memory.outbox + offset, share->description.size, counter);
    connection_commit(&sender->connection, put_shared_share(body, share, offset));
  } else {
    connection_commit(&sender->connection, put_inline_share(body, share, counter));
  }
  return request;
}

static struct outcome read_outcome(struct bytes body) {
  return (struct outcome){
    .verdict = find_field(body, 1).value,
    .end = find_field(body, 2).value,
    .rule = find_field(find_field(body, 3).bytes, 1).bytes,
  };
}

_Noreturn static void fail_undelivered(uint64_t request, struct outcome outcome) {
  fail("share %llu was not delivered: verdict %llu, end %llu, rule `%.*s`", (unsigned long long)request,
       (unsigned long long)outcome.verdict, (unsigned long long)outcome.end, (int)outcome.rule.length,
       (const char *)outcome.rule.start);
}

// Handles input up to the outcome of `request`. Returns whether it has arrived. Any other outcome
// belongs to a posted share that failed.
static bool take_outcome(struct sender *sender, uint64_t request, struct outcome *outcome) {
  struct bytes encoded;
  while (connection_next(&sender->connection, &encoded)) {
    struct host_message message = read_host_message(encoded);
    if (message.kind == HOST_STOP) fail("stopped before the end");
    if (message.kind == HOST_RELEASE) memory_release(&sender->memory, message.body);
    if (message.kind == HOST_SHARED_MEMORY) {
      adopt_memory(&sender->memory, &sender->connection, message.body, sender->awaited.description.size);
    }
    if (message.kind != HOST_OUTCOME) continue;
    *outcome = read_outcome(message.body);
    if (message.request == request) return true;
    if (outcome->end != END_DELIVERED) fail_undelivered(message.request, *outcome);
  }
  return false;
}

static struct outcome await_outcome(struct sender *sender, uint64_t request) {
  struct outcome outcome;
  while (!take_outcome(sender, request, &outcome)) {
    enum input input = connection_read(&sender->connection);
    if (input == INPUT_FAILED) fail("cannot read: %s", strerror(errno));
    if (input == INPUT_ENDED) fail("the host is gone");
  }
  return outcome;
}

static void round_trip(struct sender *sender) {
  uint64_t request = append(sender, &sender->awaited, ++sender->counter);
  flush(&sender->connection);
  struct outcome outcome = await_outcome(sender, request);
  if (outcome.end != END_DELIVERED) fail_undelivered(request, outcome);
}

static void write_batch(struct sender *sender) {
  struct outcome outcome;
  flush(&sender->connection);
  enum input input = connection_read_available(&sender->connection);
  if (input == INPUT_ENDED || input == INPUT_FAILED) fail("the host is gone");
  if (input == INPUT_READ) take_outcome(sender, 0, &outcome);
}

// Posts `count` shares, and then waits until one more has arrived.
static void post(struct sender *sender, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    append(sender, &sender->posted, ++sender->counter);
    if (sender->connection.out_length >= BATCH) write_batch(sender);
  }
  round_trip(sender);
}

// Sends shares until one arrives, because the receiver may not be running yet.
static void await_receiver(struct sender *sender) {
  struct timespec pause = {.tv_nsec = FIRST_SHARE_PAUSE_MS * 1000000};
  uint64_t give_up = now_ns() + (uint64_t)FIRST_SHARE_PATIENCE_MS * 1000000;
  for (;;) {
    uint64_t request = append(sender, &sender->awaited, 0);
    flush(&sender->connection);
    struct outcome outcome = await_outcome(sender, request);
    if (outcome.end == END_DELIVERED) return;
    if (now_ns() > give_up) fail_undelivered(request, outcome);
    nanosleep(&pause, NULL);
  }
}

// ---- measuring

struct measurement {
  const char *destination;
  const char *mode;
  size_t size;
  uint64_t count;
  const char *report;
};

static void write_report(const char *report, const char *line) {
  char *end;
  long descriptor = strtol(report, &end, 10);
  if (*report && !*end) {
    if (dprintf((int)descriptor, "%s", line) < 0) fail("cannot report to %s: %s", report, strerror(errno));
    return;
  }
  fputs(line, stderr);
  int file = open(report, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0 || dprintf(file, "%s", line) < 0) fail("cannot write `%s`: %s", report, strerror(errno));
  close(file);
}

static int compare_latencies(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static double percentile_us(const uint64_t *sorted, uint64_t count, uint64_t per_mille) {
  return (double)sorted[count * per_mille / 1000] / 1e3;
}

static uint64_t warm_up_count(uint64_t messages, size_t size) {
  uint64_t by_size = WARM_UP_BYTES / size + 1;
  return by_size < messages ? by_size : messages;
}

static void measure_round_trips(struct sender *sender, struct measurement measurement, const char *name) {
  uint64_t count = measurement.count;
  uint64_t *latencies = calloc(count, sizeof *latencies);
  if (!latencies) fail("no memory for %llu latencies", (unsigned long long)count);
  for (uint64_t i = warm_up_count(WARM_UP_ROUND_TRIPS, measurement.size); i > 0; i--) round_trip(sender);

  uint64_t start = now_ns(), before = start;
  for (uint64_t i = 0; i < count; i++) {
    round_trip(sender);
    uint64_t after = now_ns();
    latencies[i] = after - before;
    before = after;
  }
  double seconds = (double)(before - start) / 1e9;

  qsort(latencies, count, sizeof *latencies, compare_latencies);
  char line[256];
  snprintf(line, sizeof line, "RESULT %s_rt size=%zu rt_s=%.0f p50_us=%.2f p99_us=%.2f p999_us=%.2f n=%llu\n",
           name, measurement.size, (double)count / seconds, percentile_us(latencies, count, 500),
           percentile_us(latencies, count, 990), percentile_us(latencies, count, 999),
           (unsigned long long)count);
  free(latencies);
  write_report(measurement.report, line);
}

static void measure_throughput(struct sender *sender, struct measurement measurement, const char *name) {
  post(sender, warm_up_count(WARM_UP_POSTED, measurement.size));

  uint64_t start = now_ns();
  post(sender, measurement.count);
  double seconds = (double)(now_ns() - start) / 1e9;

  char line[256];
  double messages = (double)measurement.count + 1;
  snprintf(line, sizeof line, "RESULT %s_tp size=%zu msg_s=%.0f GB_s=%.3f n=%llu\n", name, measurement.size,
           messages / seconds, messages * (double)measurement.size / seconds / 1e9,
           (unsigned long long)measurement.count);
  write_report(measurement.report, line);
}

static int send_shares(struct measurement measurement) {
  struct share_description awaited = {.destination = measurement.destination, .size = measurement.size};
  struct share_description posted = awaited;
  posted.posted = true;
  struct sender sender = {.awaited = encode_share(awaited), .posted = encode_share(posted)};
  struct welcome welcome = shake_hands(&sender.connection, 2 * BATCH);
  if (sender.posted.length + WIRE_HEADER_ROOM > welcome.frame_limit) {
    fail("shares of %zu bytes exceed the host's limit of %zu", measurement.size, welcome.frame_limit);
  }
  await_receiver(&sender);
  if (strcmp(measurement.mode, "rt") == 0) {
    measure_round_trips(&sender, measurement, welcome.device);
  } else {
    measure_throughput(&sender, measurement, welcome.device);
  }
  free(sender.awaited.encoded);
  free(sender.posted.encoded);
  connection_close(&sender.connection);
  return EXIT_SUCCESS;
}

// ---- command line

static bool read_number(const char *text, unsigned long long minimum, unsigned long long *number) {
  char *end;
  errno = 0;
  *number = strtoull(text, &end, 10);
  return errno == 0 && *text && !*end && *number >= minimum;
}

static bool read_measurement(int count, char **arguments, struct measurement *measurement) {
  if (count < 6 || count > 7) return false;
  unsigned long long size, messages;
  if (!read_number(arguments[4], COUNTER_SIZE, &size) || !read_number(arguments[5], 1, &messages)) return false;
  *measurement = (struct measurement){
    .destination = arguments[2],
    .mode = arguments[3],
    .size = (size_t)size,
    .count = messages,
    .report = count == 7 ? arguments[6] : "result",
  };
  return strcmp(measurement->mode, "rt") == 0 || strcmp(measurement->mode, "tp") == 0;
}

int main(int count, char **arguments) {
  const char *role = count > 1 ? arguments[1] : "";
  struct measurement measurement;
  if (count == 2 && strcmp(role, "receive") == 0) return receive();
  if (count == 3 && strcmp(role, "extend") == 0) return extend(arguments[2]);
  if (strcmp(role, "send") == 0 && read_measurement(count, arguments, &measurement)) {
    return send_shares(measurement);
  }
  fprintf(stderr, "usage: %s send DESTINATION rt|tp SIZE COUNT [REPORT]\n       %s receive\n       %s extend TYPE\n"
                  "SIZE is at least %d bytes\n", arguments[0], arguments[0], arguments[0], COUNTER_SIZE);
  return 64;
}
