// The two ends of a round trip over a message bus: a receiver and a sender of items.
//
// usage: dbus-peer ADDRESS SIZE COUNT [memfd]
//
// Sends COUNT calls of SIZE bytes, each after the answer to the previous one. The bus decides each
// by its policy. Every item is different, and the receiver reads all of it. The receiver exits, and
// the calls fail, if an item is missing, out of order or corrupted.
//
// memfd: the message contains only the descriptor of the item, a sealed memory file that the
// receiver maps. The bus neither copies nor sees the bytes.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

#include "fresh.h"

static const char *const NAME = "org.sluice.Taker", *const PATH = "/org/sluice/Taker",
                  *const INTERFACE = "org.sluice.Items", *const MEMBER = "Take";

enum way { WAY_INLINE, WAY_MEMFD };

enum { WARM_UP = 500, WARM_UP_BYTES = 64 * 1024 * 1024 };

_Noreturn static void fail(const char *what, int error) {
  fprintf(stderr, "dbus-peer: cannot %s: %s\n", what, strerror(-error));
  exit(EXIT_FAILURE);
}

static int check(int result, const char *what) {
  if (result < 0) fail(what, result);
  return result;
}

static sd_bus *join(const char *address) {
  sd_bus *bus;
  check(sd_bus_new(&bus), "make a connection");
  check(sd_bus_set_address(bus, address), "use the address");
  check(sd_bus_set_bus_client(bus, 1), "be a client");
  check(sd_bus_start(bus), "connect");
  return bus;
}

// ---- receiving

enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

static void check_item(const void *bytes, size_t length, uint64_t counter, uint64_t *expected) {
  if (counter != (*expected)++) fail("go on: an item is out of order", -EPROTO);
  if (!fresh_is(bytes, length, counter)) fail("go on: an item is not as it was", -EPROTO);
}

static int take(sd_bus_message *call, void *data, sd_bus_error *error) {
  (void)error;
  uint64_t *expected = data, counter;
  const void *bytes;
  size_t length;
  check(sd_bus_message_read(call, "t", &counter), "read the counter");
  check(sd_bus_message_read_array(call, 'y', &bytes, &length), "read the item");
  check_item(bytes, length, counter, expected);
  return sd_bus_reply_method_return(call, "t", counter);
}

static int take_file(sd_bus_message *call, void *data, sd_bus_error *error) {
  (void)error;
  uint64_t counter, length;
  int file;
  check(sd_bus_message_read(call, "tth", &counter, &length, &file), "read the item's file");
  // The file must be sealed, because the sender could otherwise truncate it while it is read.
  int seals = fcntl(file, F_GET_SEALS);
  if (seals < 0 || (seals & SEALS) != SEALS) fail("go on: a file is not sealed", -EPROTO);
  void *bytes = mmap(NULL, length, PROT_READ, MAP_SHARED, file, 0);
  if (bytes == MAP_FAILED) fail("map the item", -errno);
  check_item(bytes, length, counter, data);
  munmap(bytes, length);
  return sd_bus_reply_method_return(call, "t", counter);
}

_Noreturn static void take_items(const char *address, int ready, enum way way) {
  static const sd_bus_vtable inline_items[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Take", "tay", "t", take, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
  };
  static const sd_bus_vtable files[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Take", "tth", "t", take_file, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
  };
  const sd_bus_vtable *methods = way == WAY_MEMFD ? files : inline_items;
  uint64_t expected = 0;
  sd_bus *bus = join(address);
  check(sd_bus_add_object_vtable(bus, NULL, PATH, INTERFACE, methods, &expected), "offer the method");
  check(sd_bus_request_name(bus, NAME, 0), "have the name");
  if (write(ready, "", 1) != 1) exit(EXIT_FAILURE);
  for (;;) {
    int result = check(sd_bus_process(bus, NULL), "take an item");
    if (result == 0) check(sd_bus_wait(bus, UINT64_MAX), "wait");
  }
}

// ---- sending

static void append_inline(sd_bus_message *call, uint64_t counter, size_t size) {
  void *bytes;
  check(sd_bus_message_append_array_space(call, 'y', size, &bytes), "append the item");
  fresh_fill(bytes, size, counter);
}

static void append_file(sd_bus_message *call, uint64_t counter, size_t size) {
  int file = memfd_create("item", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0 || ftruncate(file, (off_t)size) < 0) fail("make a file", -errno);
  void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (bytes == MAP_FAILED) fail("map the file", -errno);
  fresh_fill(bytes, size, counter);
  munmap(bytes, size);
  if (fcntl(file, F_ADD_SEALS, SEALS) < 0) fail("seal the file", -errno);
  check(sd_bus_message_append(call, "th", (uint64_t)size, file), "append the file");
  close(file);
}

static void send_item(sd_bus *bus, uint64_t counter, size_t size, enum way way) {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  sd_bus_message *call = NULL, *answer = NULL;
  check(sd_bus_message_new_method_call(bus, &call, NAME, PATH, INTERFACE, MEMBER), "make a call");
  check(sd_bus_message_append(call, "t", counter), "append the counter");
  if (way == WAY_MEMFD) append_file(call, counter, size);
  else append_inline(call, counter, size);
  int result = sd_bus_call(bus, call, 0, &error, &answer);
  if (result < 0) fail(error.message ? error.message : "call", result);
  sd_bus_message_unref(answer);
  sd_bus_message_unref(call);
}

static uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void measure(sd_bus *bus, size_t size, uint64_t count, enum way way) {
  uint64_t counter = 0, warm_up = size > 0 && WARM_UP_BYTES / size < WARM_UP ? WARM_UP_BYTES / size + 1 : WARM_UP;
  while (counter < warm_up) send_item(bus, counter++, size, way);
  uint64_t start = now_ns();
  for (uint64_t i = 0; i < count; i++) send_item(bus, counter++, size, way);
  double seconds = (double)(now_ns() - start) / 1e9;
  printf("RESULT dbus%s_rt size=%zu rt_s=%.0f n=%llu\n", way == WAY_MEMFD ? "_memfd" : "", size,
         (double)count / seconds, (unsigned long long)count);
}

static pid_t start_taker(const char *address, enum way way) {
  int ready[2];
  char byte;
  if (pipe(ready) < 0) fail("make a pipe", -errno);
  pid_t taker = fork();
  if (taker < 0) fail("start the taker", -errno);
  if (taker == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ready[0]);
    take_items(address, ready[1], way);
  }
  close(ready[1]);
  if (read(ready[0], &byte, 1) != 1) fail("go on: the taker has ended", -EPIPE);
  close(ready[0]);
  return taker;
}

int main(int count, char **arguments) {
  char *end = NULL;
  enum way way = count == 5 && strcmp(arguments[4], "memfd") == 0 ? WAY_MEMFD : WAY_INLINE;
  bool is_whole = count == 4 || (count == 5 && way == WAY_MEMFD);
  unsigned long long size = is_whole ? strtoull(arguments[2], &end, 10) : 0;
  unsigned long long items = is_whole && !*end ? strtoull(arguments[3], &end, 10) : 0;
  if (items == 0 || *end) {
    fprintf(stderr, "usage: %s ADDRESS SIZE COUNT [memfd]\n", arguments[0]);
    return 64;
  }
  pid_t taker = start_taker(arguments[1], way);
  sd_bus *bus = join(arguments[1]);
  measure(bus, (size_t)size, items, way);
  sd_bus_flush_close_unref(bus);
  kill(taker, SIGKILL);
  waitpid(taker, NULL, 0);
  return EXIT_SUCCESS;
}
