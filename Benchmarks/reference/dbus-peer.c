// Both ends of a round trip over a message bus: a process that takes items, and one that sends them.
//
// usage: dbus-peer ADDRESS SIZE COUNT
//
// COUNT calls with SIZE bytes each, every one sent when the answer to the one before has come. The bus decides each by its
// policy. The taker ends where an item is missing or out of order, and the calls with it.

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

static const char *const NAME = "org.sluice.Taker", *const PATH = "/org/sluice/Taker",
                  *const INTERFACE = "org.sluice.Items", *const MEMBER = "Take";

enum { WARM_UP = 500 };

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

// ---- taking

static int take(sd_bus_message *call, void *data, sd_bus_error *error) {
  (void)error;
  uint64_t *expected = data, counter;
  const void *bytes;
  size_t length;
  check(sd_bus_message_read(call, "t", &counter), "read the counter");
  check(sd_bus_message_read_array(call, 'y', &bytes, &length), "read the item");
  if (counter != (*expected)++) fail("go on: an item is out of order", -EPROTO);
  return sd_bus_reply_method_return(call, "t", counter);
}

_Noreturn static void take_items(const char *address, int ready) {
  static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Take", "tay", "t", take, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
  };
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

static void send_item(sd_bus *bus, uint64_t counter, const uint8_t *bytes, size_t size) {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  sd_bus_message *call = NULL, *answer = NULL;
  check(sd_bus_message_new_method_call(bus, &call, NAME, PATH, INTERFACE, MEMBER), "make a call");
  check(sd_bus_message_append(call, "t", counter), "append the counter");
  check(sd_bus_message_append_array(call, 'y', bytes, size), "append the item");
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

static void measure(sd_bus *bus, size_t size, uint64_t count) {
  uint8_t *bytes = calloc(1, size + 1);
  if (!bytes) fail("hold an item", -ENOMEM);
  uint64_t counter = 0;
  while (counter < WARM_UP) send_item(bus, counter++, bytes, size);
  uint64_t start = now_ns();
  for (uint64_t i = 0; i < count; i++) send_item(bus, counter++, bytes, size);
  double seconds = (double)(now_ns() - start) / 1e9;
  printf("RESULT dbus_rt size=%zu rt_s=%.0f n=%llu\n", size, (double)count / seconds, (unsigned long long)count);
  free(bytes);
}

static pid_t start_taker(const char *address) {
  int ready[2];
  char byte;
  if (pipe(ready) < 0) fail("make a pipe", -errno);
  pid_t taker = fork();
  if (taker < 0) fail("start the taker", -errno);
  if (taker == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ready[0]);
    take_items(address, ready[1]);
  }
  close(ready[1]);
  if (read(ready[0], &byte, 1) != 1) fail("go on: the taker has ended", -EPIPE);
  close(ready[0]);
  return taker;
}

int main(int count, char **arguments) {
  char *end = NULL;
  unsigned long long size = count == 4 ? strtoull(arguments[2], &end, 10) : 0;
  unsigned long long items = count == 4 && !*end ? strtoull(arguments[3], &end, 10) : 0;
  if (items == 0 || *end) {
    fprintf(stderr, "usage: %s ADDRESS SIZE COUNT\n", arguments[0]);
    return 64;
  }
  pid_t taker = start_taker(arguments[1]);
  sd_bus *bus = join(arguments[1]);
  measure(bus, (size_t)size, items);
  sd_bus_flush_close_unref(bus);
  kill(taker, SIGKILL);
  waitpid(taker, NULL, 0);
  return EXIT_SUCCESS;
}
