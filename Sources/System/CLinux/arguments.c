#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "confinement.h"

// The maximum number of grants. A container, a few app groups and the runtime need far fewer.
enum { MOST_GRANTS = 128 };

struct command_line {
  const char *program;
  struct sluice_confinement confinement;
  struct sluice_grant grants[MOST_GRANTS];
  struct sluice_port_grant ports[MOST_GRANTS];
  bool required;
};

// Writes once, so lines from guests that share standard error do not interleave.
__attribute__((format(printf, 2, 3))) static void say(const struct command_line *line,
                                                      const char *format, ...) {
  char sentence[4096];
  va_list values;
  va_start(values, format);
  vsnprintf(sentence, sizeof sentence, format, values);
  va_end(values);
  fprintf(stderr, "%s: %s\n", line->program, sentence);
}

static const char *value_of(const char *option, const char *value, const struct command_line *line) {
  if (value != NULL) return value;
  say(line, "option `%s` needs a value", option);
  exit(SLUICE_EXIT_USAGE);
}

static uint64_t number_of(const char *option, const char *value, uint64_t most,
                          const struct command_line *line) {
  value = value_of(option, value, line);
  char *end = NULL;
  errno = 0;
  unsigned long long number = strtoull(value, &end, 10);
  // strtoull(3) accepts white space and signs, and converts -1 to the largest number.
  bool digit = value[0] >= '0' && value[0] <= '9';
  if (digit && *end == '\0' && errno == 0 && number <= most) return number;
  say(line, "option `%s` takes a number from 0 to %llu, not `%s`", option, (unsigned long long)most,
      value);
  exit(SLUICE_EXIT_USAGE);
}

static void add_grant(struct command_line *line, const char *option, const char *value,
                      enum sluice_access access) {
  value = value_of(option, value, line);
  if (line->confinement.grant_count == MOST_GRANTS) {
    say(line, "more than %d paths; `%s` is one too many", MOST_GRANTS, value);
    exit(SLUICE_EXIT_USAGE);
  }
  line->grants[line->confinement.grant_count++] = (struct sluice_grant){value, access};
}

static void add_port(struct command_line *line, const char *option, const char *value,
                     enum sluice_port_access access) {
  uint16_t port = (uint16_t)number_of(option, value, UINT16_MAX, line);
  if (line->confinement.port_count == MOST_GRANTS) {
    say(line, "more than %d ports; `%s` is one too many", MOST_GRANTS, value);
    exit(SLUICE_EXIT_USAGE);
  }
  line->ports[line->confinement.port_count++] = (struct sluice_port_grant){port, access};
}

// Parses an option. `value` is the next argument, or null at the end of the command line.
static void take(struct command_line *line, const char *option, const char *value) {
  struct sluice_confinement *confinement = &line->confinement;
  if (strcmp(option, "--write") == 0) {
    add_grant(line, option, value, SLUICE_ACCESS_WRITE);
  } else if (strcmp(option, "--read") == 0) {
    add_grant(line, option, value, SLUICE_ACCESS_READ);
  } else if (strcmp(option, "--read-files") == 0) {
    add_grant(line, option, value, SLUICE_ACCESS_READ_FILES);
  } else if (strcmp(option, "--connect") == 0) {
    add_port(line, option, value, SLUICE_PORT_CONNECT);
  } else if (strcmp(option, "--bind") == 0) {
    add_port(line, option, value, SLUICE_PORT_BIND);
  } else if (strcmp(option, "--view") == 0) {
    confinement->view = value_of(option, value, line);
  } else if (strcmp(option, "--root") == 0) {
    confinement->root = value_of(option, value, line);
  } else if (strcmp(option, "--parent") == 0) {
    confinement->parent = (pid_t)number_of(option, value, INT_MAX, line);
  } else if (strcmp(option, "--memory") == 0) {
    confinement->memory_limit = number_of(option, value, UINT64_MAX, line);
  } else if (strcmp(option, "--file-size") == 0) {
    confinement->file_size_limit = number_of(option, value, UINT64_MAX, line);
  } else if (strcmp(option, "--descriptors") == 0) {
    confinement->descriptor_limit = number_of(option, value, UINT64_MAX, line);
  } else if (strcmp(option, "--pending-signals") == 0) {
    confinement->pending_signal_limit = number_of(option, value, UINT64_MAX, line);
  } else {
    say(line, "unknown option `%s`", option);
    exit(SLUICE_EXIT_USAGE);
  }
}

static int parse(struct command_line *line, int count, char *const arguments[]) {
  int next = 1;
  while (next < count && arguments[next][0] == '-') {
    const char *option = arguments[next++];
    if (strcmp(option, "--") == 0) break;
    if (strcmp(option, "--require-confinement") == 0) {
      line->required = true;
      continue;
    }
    if (strcmp(option, "--filter-calls") == 0) {
      line->confinement.filters_calls = 1;
      continue;
    }
    if (strcmp(option, "--mount-processes") == 0) {
      line->confinement.mounts_processes = 1;
      continue;
    }
    take(line, option, next < count ? arguments[next] : NULL);
    next++;
  }
  return next;
}

// Reports a missing protection, and exits if complete confinement is required.
__attribute__((format(printf, 2, 3))) static void lacks(const struct command_line *line, const char *format, ...) {
  char lack[512];
  va_list values;
  va_start(values, format);
  vsnprintf(lack, sizeof lack, format, values);
  va_end(values);
  say(line, "%s: %s", line->required ? "error" : "warning", lack);
  if (line->required) exit(SLUICE_EXIT_CONFINEMENT_LACKING);
}

static void confine(const struct command_line *line) {
  struct sluice_confinement_report report;
  int status = sluice_confine(&line->confinement, &report);
  if (status < 0) {
    const char *reason = strerror(-status);
    if (report.path != NULL)
      say(line, "cannot %s `%s`: %s", report.failure, report.path, reason);
    else
      say(line, "cannot %s: %s", report.failure, reason);
    exit(SLUICE_EXIT_CONFINEMENT_FAILED);
  }
  if (report.landlock_abi == 0)
    lacks(line, "files are not confined: this kernel has no Landlock");
  else if (report.landlock_abi < SLUICE_COMPLETE_LANDLOCK_ABI)
    lacks(line, "confined in part: this kernel has Landlock ABI %d, and %d (Linux 6.12) is needed",
          report.landlock_abi, SLUICE_COMPLETE_LANDLOCK_ABI);
  if (line->confinement.filters_calls && !report.calls_filtered)
    lacks(line, "system calls are not filtered: this kernel has no seccomp");
}

int sluice_confine_from_arguments(int count, char *const arguments[]) {
  struct command_line line = {.program = "sluice"};
  if (count > 0) {
    const char *slash = strrchr(arguments[0], '/');
    line.program = slash != NULL ? slash + 1 : arguments[0];
  }
  line.confinement.grants = line.grants;
  line.confinement.ports = line.ports;
  int next = parse(&line, count, arguments);
  confine(&line);
  return next;
}
