// hostile-guest MODE [ARGUMENT]…
//
// This guest misbehaves in one way; see the table at the end. Otherwise it follows the protocol. It
// has no dependencies, so it can misbehave at every level.
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "connection.h"
#include "escape.h"

// The arguments after the mode.
static char **arguments;
// The device's name from the handshake.
static const char *device;

// ---- correct and nearly correct behaviour

// Handles a delivery. It returns if the guest continues.
typedef void (*delivery_handler)(uint64_t sequence);

static void acknowledge_later(uint64_t sequence) {
  nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
  send_acknowledge(sequence);
}

static void exit_without_acknowledging(uint64_t sequence) {
  (void)sequence;
  _exit(5);
}

// Answers a call, so the host does not wait.
static void answer(enum guest_body body, struct slice ask, const char *failure) {
  struct message content = {.length = 0};
  put_number(&content, 1, number_in(ask, 1));
  if (failure != NULL) put_text(&content, 2, failure);
  send_message(0, body, &content);
}

// Receives deliveries until it is asked to stop.
_Noreturn static void serve(delivery_handler delivered) {
  for (;;) {
    struct field message = receive();
    switch (message.number) {
      case 0:
        exit(EXIT_FAILURE);
      case STOP:
        exit(EXIT_SUCCESS);
      case DELIVERY:
      case OPENED_URL:
        delivered(number_in(message.slice, 1));
        break;
      case PROVIDE_ITEM:
        answer(PROVIDED, message.slice, NULL);
        break;
      case IDENTITY_SWITCH_REQUIRED:
        answer(IDENTITY_SWITCH_ANSWER, message.slice, NULL);
        break;
      case PERFORM:
        answer(PERFORMED, message.slice, "takes no instructions");
        break;
      default:
        break;
    }
  }
}

_Noreturn static void act_well(void) { serve(send_acknowledge); }

_Noreturn static void sleep_forever(void) {
  for (;;) pause();
}

// ---- sharing

static const char *destination(void) {
  if (arguments[0] != NULL) return arguments[0];
  fprintf(stderr, "hostile-guest: this mode needs a destination\n");
  exit(64);
}

static struct message text_item(const struct message *tag) {
  struct message item = {.length = 0};
  put_text(&item, 1, "public.plain-text");
  put_text(&item, 2, "note.txt");
  put_text(&item, 3, "from a hostile guest");
  if (tag != NULL) put_message(&item, 5, tag);
  return item;
}

// The tag and the claimed source may be null.
static struct message share_with(const char *destination, const struct message *tag,
                                 const char *claimed_source) {
  const struct message item = text_item(tag);
  struct message share = {.length = 0};
  put_text(&share, 1, destination);
  put_message(&share, 2, &item);
  if (claimed_source != NULL) put_text(&share, 5, claimed_source);
  return share;
}

// A tag that no device has sealed.
static struct message invented_tag(const char *device) {
  uint8_t seal[32];
  if (getrandom(seal, sizeof seal, 0) != (ssize_t)sizeof seal) abort();
  struct message tag = {.length = 0};
  put_text(&tag, 1, "eve@example.com");
  put_number(&tag, 4, false);
  put_text(&tag, 5, "com.example.hostile");
  put_text(&tag, 6, device);
  put_fixed64(&tag, 7, 1);
  put_bytes(&tag, 8, seal, sizeof seal);
  return tag;
}

static void share_tagged(const char *destination, const char *device) {
  const struct message tag = invented_tag(device);
  const struct message share = share_with(destination, &tag, NULL);
  send_message(1, SHARE, &share);
}

// ---- violations from the first byte

static void exit_early(void) {
  exit(3);
}

static void wrong_version(void) {
  struct message hello = {.length = 0};
  put_number(&hello, 1, 99);
  put_number(&hello, 2, 1);
  send_message(0, HELLO, &hello);
  read_until_closed();
}

// Sends valid frames with invalid messages. They are the same each time.
static void garbage(void) {
  struct message nonsense = {.length = 256};
  uint32_t state = 2463534242;
  for (size_t i = 0; i < nonsense.length; i++) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    nonsense.bytes[i] = (uint8_t)state | 0x07;  // wire type 7 does not exist
  }
  send_frame(&nonsense);
  read_until_closed();
}

static void oversized(void) {
  send_bytes((const uint8_t[]){0xf0, 0xff, 0xff, 0xff}, 4);
  read_until_closed();
}

static void hang_handshake(void) {
  sleep_forever();
}

// ---- violations after the handshake

static void half_frame(void) {
  send_bytes((const uint8_t[]){100, 0, 0, 0, 8, 1, 34}, 7);
  exit(EXIT_SUCCESS);
}

static void flood(void) {
  const struct message share = share_with(destination(), NULL, NULL);
  for (uint64_t request = 1;; request++) send_message(request, SHARE, &share);
}

// A process in a separate session is not stopped with its guest.
static void sleepwalk(void) {
  const struct message share = share_with(destination(), NULL, NULL);
  if (fork() == 0) {
    setsid();
    for (uint64_t request = 1;; request++) {
      send_message(request, SHARE, &share);
      usleep(1000);
    }
  }
  sleep_forever();
}

static void flood_log(void) {
  for (;;) send_log("there is no end to this");
}

static void add_to_keychain(uint64_t request, const char *service, const char *value) {
  char name[32];
  snprintf(name, sizeof name, "%d", (int)request);
  struct message item = {.length = 0}, add = {.length = 0};
  put_text(&item, 2, service);
  put_text(&item, 3, name);
  put_text(&item, 4, value);
  put_message(&add, 1, &item);
  send_message(request, KEYCHAIN_ADD, &add);
}

// Sends more and more requests, and reads every answer.
static void flood_keychain(void) {
  if (fork() == 0) read_until_closed();
  for (uint64_t request = 1;; request++) add_to_keychain(request, "flood", "x");
}

// Fills the keychain to its limits, and signs invented accounts in and out in a loop.
static void hoard_keychain(void) {
  if (fork() == 0) read_until_closed();
  char value[3800];
  memset(value, 'x', sizeof value - 1);
  value[sizeof value - 1] = 0;
  uint64_t request = 1;
  for (; request < 2000; request++) add_to_keychain(request, "hoard", value);
  for (;; request += 2) {
    char name[64];
    snprintf(name, sizeof name, "made-up-%d@example.org", (int)request);
    struct message account = {.length = 0};
    put_text(&account, 1, name);
    send_message(request, SIGN_IN, &account);
    send_message(request + 1, SIGN_OUT, &account);
  }
}

// Writes to its output in a loop.
static void flood_output(void) {
  for (;;) puts("there is no end to this");
}

static void long_log(void) {
  send_long_text(LOG, "x", 12 << 20);
}

// The text has combining marks on one letter, which are expensive to process as characters.
static void long_failure(void) {
  send_long_text(FAILED, "\xCC\x81\xCC\xA3", 3 << 20);
  exit(EXIT_FAILURE);
}

// Leaves its session with a child. A search by session does not find the child.
static void runaway(void) {
  if (fork() == 0) {
    if (setsid() < 0 || fork() != 0) _exit(EXIT_SUCCESS);
    close(CONNECTION);
    sleep_forever();
  }
}

// Creates nested folders, deeper than a path can name.
static void burrow(void) {
  for (int i = 0; i < 6000; i++)
    if (mkdir("deep-down-here", 0700) != 0 || chdir("deep-down-here") != 0) exit(EXIT_FAILURE);
  exit(EXIT_SUCCESS);
}

static void take_memory(size_t bytes) {
  volatile char *memory = malloc(bytes);
  if (memory == NULL && bytes > 0) exit(EXIT_FAILURE);
  for (size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
}

// Allocates more memory than any extension may have, and keeps it.
static void hog(void) {
  take_memory(256 << 20);
  sleep_forever();
}

// Writes this many bytes to a new file, a page at a time, and leaves the file open.
static int make_file(const char *name, long length) {
  char page[4096];
  memset(page, 'x', sizeof page);
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) exit(EXIT_FAILURE);
  for (long rest = length; rest > 0; rest -= (long)sizeof page)
    if (write(file, page, rest < (long)sizeof page ? (size_t)rest : sizeof page) < 0)
      exit(EXIT_FAILURE);
  return file;
}

// Writes the stated number of files of the stated size. The total is limited, to protect the
// machine if the guest is not ended.
static void fill(void) {
  if (arguments[0] == NULL || arguments[1] == NULL) exit(64);
  for (int i = 0; i < atoi(arguments[0]); i++) {
    char name[32];
    snprintf(name, sizeof name, "filling-%d", i);
    close(make_file(name, atol(arguments[1])));
  }
}

// Writes to a file that has no name in any folder.
static void fill_unnamed(void) {
  if (arguments[0] == NULL) exit(64);
  int file = make_file("unnamed", 0);
  unlink("unnamed");
  char page[4096];
  memset(page, 'x', sizeof page);
  for (long rest = atol(arguments[0]); rest > 0; rest -= (long)sizeof page)
    if (write(file, page, sizeof page) < 0) exit(EXIT_FAILURE);
}

static void hang(void) {
  signal(SIGTERM, SIG_IGN);
  shake_hands();
  while (receive().number != 0) continue;
  sleep_forever();
}

static void deaf(void) {
  sleep_forever();
}

static void crash(void) {
  // Swift's runtime catches the signal to print a backtrace, if it is linked.
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
}

static void forged_source(void) {
  const struct message share = share_with(destination(), NULL, "com.victim.app");
  send_message(1, SHARE, &share);
}

static void forged_tag(void) {
  share_tagged(destination(), device);
}

static void foreign_tag(void) {
  share_tagged(destination(), "another-device");
}

static void replay(void) {
  const struct message share = share_with(destination(), NULL, NULL);
  send_message(1, SHARE, &share);
  send_message(1, SHARE, &share);
}

static void stdout_babble(void) {
  char line[1024];
  memset(line, 'x', sizeof line);
  line[sizeof line - 1] = '\n';
  for (size_t written = 0; written < 10 << 20; written += sizeof line)
    fwrite(line, sizeof line, 1, stderr);
  shake_hands();
}

static void connect_to(void) {
  try_ports(arguments);
}

static void babble(void) {
  // This happens before the guest's ready message, so the server is already occupied for later
  // guests.
  babble_at(arguments[0]);
  shake_hands();
}

static void escape(void) {
  try_to_escape(arguments);
}

static void exit_on_delivery(void) {
  serve(exit_without_acknowledging);
}

static void slow(void) {
  serve(acknowledge_later);
}

// Leaves a child that keeps the connection open.
static void orphan(void) {
  if (fork() == 0) {
    sleep(60);
    _exit(EXIT_SUCCESS);
  }
  exit(EXIT_SUCCESS);
}

// Creates children that leave the parent's session. Only their namespace identifies them.
static void breed(void) {
  const long count = strtol(arguments[0], NULL, 10), bytes = strtol(arguments[1], NULL, 10);
  for (long i = 0; i < count; i++) {
    if (fork() != 0) continue;
    setsid();
    take_memory((size_t)bytes);
    sleep_forever();
  }
  sleep_forever();
}

// Creates children that share the memory of their parent.
static void breed_from(void) {
  const long count = strtol(arguments[0], NULL, 10), bytes = strtol(arguments[1], NULL, 10);
  take_memory((size_t)bytes);
  shake_hands();
  for (long i = 0; i < count; i++)
    if (fork() == 0) sleep_forever();
  sleep_forever();
}

_Noreturn static void compute_forever(void) {
  for (volatile unsigned long number = 0;; number++) {}
}

static void *compute_in_thread(void *nothing) {
  (void)nothing;
  compute_forever();
}

static void compute_for_a_moment(void) {
  const clock_t end = clock() + CLOCKS_PER_SEC / 50;
  while (clock() < end) {}
  _exit(EXIT_SUCCESS);
}

// Competes with its own processes or threads for the processors, so it appears to be kept from one.
static void spin(void) {
  const char *way = arguments[0];
  const long count = strtol(arguments[1], NULL, 10);
  if (strcmp(way, "ignored") == 0) signal(SIGCHLD, SIG_IGN);
  for (long i = 0; i < count; i++) {
    if (strcmp(way, "threads") == 0) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, compute_in_thread, NULL) != 0) exit(EXIT_FAILURE);
    } else if (strcmp(way, "orphans") == 0) {
      const pid_t child = fork();
      if (child == 0) {
        if (fork() == 0) compute_forever();
        _exit(EXIT_SUCCESS);
      }
      waitpid(child, NULL, 0);
    } else if (fork() == 0) {
      if (strcmp(way, "short-lived") == 0) compute_for_a_moment();
      compute_forever();
    }
  }
  for (;;)
    if (waitpid(-1, NULL, WNOHANG) > 0 && fork() == 0) compute_for_a_moment();
}

// Moves a file back and forth.
static void shuffle(void) {
  for (;;) {
    rename(arguments[0], arguments[1]);
    rename(arguments[1], arguments[0]);
  }
}

// Creates more timers than one process may have.
static void hoard_timers(void) {
  struct sigevent event = {.sigev_notify = SIGEV_NONE};
  timer_t timer;
  while (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) {}
  shake_hands();
}

static void do_nothing(void) {}

static const struct {
  const char *name;
  // Runs the mode. If it returns, the guest behaves correctly afterwards.
  void (*run)(void);
  // Whether the mode starts before or after the handshake. If it starts before, it performs the
  // handshake itself if it gets that far.
  enum { BEFORE, AFTER } begins;
  const char *summary;
} modes[] = {
    {"exit-early", exit_early, BEFORE, "exits with 3 before Hello"},
    {"wrong-version", wrong_version, BEFORE, "sends Hello with transport version 99"},
    {"garbage", garbage, BEFORE, "sends frames with invalid messages"},
    {"oversized", oversized, BEFORE, "announces a frame of 4 GiB"},
    {"hang-handshake", hang_handshake, BEFORE, "sends nothing"},
    {"half-frame", half_frame, AFTER, "exits with 0 in the middle of a frame"},
    {"flood", flood, AFTER, "DESTINATION: shares in a loop, and reads nothing"},
    {"sleepwalk", sleepwalk, AFTER, "DESTINATION: leaves a child that shares in a loop"},
    {"flood-log", flood_log, AFTER, "logs in a loop, and reads nothing"},
    {"flood-keychain", flood_keychain, AFTER, "adds to the keychain in a loop, and reads the answers"},
    {"hoard-keychain", hoard_keychain, AFTER, "fills the keychain, then signs accounts in and out in a loop"},
    {"flood-output", flood_output, AFTER, "writes to its standard output in a loop"},
    {"long-log", long_log, AFTER, "logs 12 MiB at once"},
    {"long-failure", long_failure, AFTER, "reports a failure with 12 MiB of text"},
    {"runaway", runaway, AFTER, "leaves a process in a separate session"},
    {"burrow", burrow, AFTER, "nests 6,000 folders, and exits"},
    {"hang", hang, BEFORE, "reads, but never answers, never stops, ignores SIGTERM"},
    {"hog", hog, AFTER, "allocates 256 MiB of memory, and keeps it"},
    {"fill", fill, AFTER, "COUNT BYTES: writes COUNT files of BYTES bytes"},
    {"fill-unnamed", fill_unnamed, AFTER, "BYTES: writes to an unlinked file"},
    {"deaf", deaf, AFTER, "never reads again"},
    {"crash", crash, AFTER, "crashes with SIGSEGV"},
    {"forged-source", forged_source, AFTER, "DESTINATION: shares as com.victim.app"},
    {"forged-tag", forged_tag, AFTER, "DESTINATION: shares under a tag with an invented seal"},
    {"foreign-tag", foreign_tag, AFTER, "DESTINATION: shares under a tag of another device"},
    {"replay", replay, AFTER, "DESTINATION: shares twice under one request number"},
    {"stdout-babble", stdout_babble, BEFORE, "writes 10 MiB to standard error"},
    {"escape", escape, AFTER, "PATH…: tries to escape, and logs each attempt"},
    {"babble", babble, BEFORE, "PORT: opens 48 connections to a TCP port, and sends garbage or nothing"},
    {"connect", connect_to, AFTER, "PORT…: connects to TCP ports, and logs each attempt"},
    {"exit-on-delivery", exit_on_delivery, AFTER, "exits with 5 instead of acknowledging"},
    {"slow", slow, AFTER, "acknowledges after 50 ms"},
    {"orphan", orphan, AFTER, "exits, and leaves a child that keeps the connection open for 60 s"},
    {"breed", breed, AFTER, "COUNT BYTES: leaves COUNT children with BYTES of memory each"},
    {"breed-from", breed_from, BEFORE, "COUNT BYTES: has COUNT children that share BYTES of memory"},
    {"spin", spin, AFTER, "WAY COUNT: computes, as do COUNT children (children, orphans, short-lived, ignored) or threads"},
    {"shuffle", shuffle, AFTER, "PATH PATH: moves a file back and forth in a loop"},
    {"hoard-timers", hoard_timers, BEFORE, "creates as many POSIX timers as possible"},
    {"well-behaved", do_nothing, AFTER, "behaves correctly"},
};

int main(int count, char *words[]) {
  // Otherwise, a write to a closed connection would end the process as if it had crashed.
  signal(SIGPIPE, SIG_IGN);
  const size_t mode_count = sizeof modes / sizeof *modes;
  for (size_t i = 0; count > 1 && i < mode_count; i++) {
    if (strcmp(modes[i].name, words[1]) != 0) continue;
    arguments = words + 2;
    if (modes[i].begins == AFTER) device = shake_hands();
    modes[i].run();
    act_well();
  }
  fprintf(stderr, "usage: hostile-guest MODE [ARGUMENT]...\n");
  for (size_t i = 0; i < mode_count; i++)
    fprintf(stderr, "  %-17s %s\n", modes[i].name, modes[i].summary);
  return 64;
}
