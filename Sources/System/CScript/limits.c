#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

// glibc before 2.38 does not define this name.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { EXIT_SCRIPT = 70, MILLISECONDS_OF_GRACE = 1000 };

struct script *script_of(lua_State *L) {
  void *script;
  lua_getallocf(L, &script);
  return script;
}

// MARK: positions

// This function allocates no memory, so it also works at the memory limit.
static bool locate(lua_State *L, char *place, size_t size) {
  lua_Debug activation;
  for (int level = 0; lua_getstack(L, level, &activation); level++) {
    lua_getinfo(L, "Sl", &activation);
    if (activation.currentline <= 0) continue;
    snprintf(place, size, "%s:%d", activation.short_src, activation.currentline);
    return true;
  }
  return false;
}

void script_locate(struct script *script, lua_State *L, char *place, size_t size) {
  if (locate(L, place, size)) return;
  if (script->running != NULL && locate(script->running->thread, place, size)) return;
  snprintf(place, size, "%s", script->environment.name);
}

// MARK: memory

void *script_allocate(void *context, void *block, size_t old_size, size_t new_size) {
  struct script *script = context;
  // Without a block, `old_size` is the type of the new object (lua_Alloc).
  if (block == NULL) old_size = 0;
  if (new_size == 0) {
    script->memory -= old_size;
    free(block);
    return NULL;
  }
  if (new_size > old_size) {
    size_t more = new_size - old_size;
    if (script->memory + more > script->limits.memory) {
      script->refusals++;
      if (script->running != NULL)
        script_locate(script, script->running->thread, script->refused_at,
                      sizeof script->refused_at);
      return NULL;
    }
    script->spent += more / BYTES_PER_INSTRUCTION;
  }
  void *moved = realloc(block, new_size);
  if (moved == NULL) return NULL;
  script->memory += new_size - old_size;
  return moved;
}

// MARK: instructions

static void reach(struct script *script, enum script_limit limit, lua_State *L) {
  if (script->limit != LIMIT_NONE) return;
  script->limit = limit;
  script_locate(script, L, script->limit_at, sizeof script->limit_at);
}

static int raise_limit(lua_State *L) {
  // From now on, every instruction is checked, so code that catches the error gets it again.
  lua_sethook(L, script_check, LUA_MASKCOUNT, 1);
  lua_pushliteral(L, "limit reached");
  return lua_error(L);
}

void script_check(lua_State *L, lua_Debug *activation) {
  (void)activation;
  script_charge(L, INSTRUCTIONS_PER_CHECK);
}

void script_charge(lua_State *L, uint64_t instructions) {
  struct script *script = script_of(L);
  // The comparison avoids an overflow.
  script->spent = instructions > script->limits.instructions
                      ? script->limits.instructions + 1
                      : script->spent + instructions;
  if (script->spent > script->limits.instructions) reach(script, LIMIT_INSTRUCTIONS, L);
  if (script->is_late) reach(script, LIMIT_TIME, L);
  if (script->limit != LIMIT_NONE) raise_limit(L);
}

void script_pass_limit(lua_State *L, int status, uint64_t refusals) {
  struct script *script = script_of(L);
  // Lua's buffers report a failed allocation as an ordinary error message.
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  bool lacked = script->refusals != refusals && strcmp(text, "not enough memory") == 0;
  if (script->limit == LIMIT_NONE && (status == LUA_ERRMEM || lacked)) {
    reach(script, LIMIT_MEMORY, L);
    if (script->refused_at[0] != '\0') strcpy(script->limit_at, script->refused_at);
  }
  if (script->limit != LIMIT_NONE) lua_error(L);
}

void script_explain_limit(const struct script *script, char *text, size_t size) {
  switch (script->limit) {
  case LIMIT_INSTRUCTIONS:
    snprintf(text, size, "%s: instruction limit of %llu reached [script-instructions]",
             script->limit_at, (unsigned long long)script->limits.instructions);
    break;
  case LIMIT_MEMORY:
    snprintf(text, size, "%s: memory limit of %zu KiB reached [script-memory]", script->limit_at,
             script->limits.memory / 1024);
    break;
  case LIMIT_TIME:
    snprintf(text, size, "%s: time limit of %u ms reached [script-time]", script->limit_at,
             (unsigned)script->limits.milliseconds);
    break;
  case LIMIT_NONE: text[0] = '\0';
  }
}

// MARK: time

// The first signal sets a flag, and the next check raises an error. If no check follows, the script
// is within a library call, which only the end of the process can stop.
static void elapsed(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)context;
  struct script *script = info->si_value.sival_ptr;
  if (info->si_code != SI_TIMER || script == NULL || !script->is_running) return;
  if (!script->is_late) {
    script->is_late = 1;
    return;
  }
  if (!script->limits.ends_process) return;
  char line[512];
  script->limit = LIMIT_TIME;
  script_locate(script, script->running->thread, script->limit_at, sizeof script->limit_at);
  script_explain_limit(script, line, sizeof line - 1);
  size_t count = strlen(line);
  line[count++] = '\n';
  if (write(STDERR_FILENO, line, count) < 0) _exit(EXIT_SCRIPT);
  _exit(EXIT_SCRIPT);
}

bool script_make_timer(struct script *script) {
  struct sigaction action = {.sa_sigaction = elapsed, .sa_flags = SA_SIGINFO | SA_RESTART};
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
  event.sigev_value.sival_ptr = script;
  event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
  script->has_timer = sigaction(SIGPROF, &action, NULL) == 0 &&
                      timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &script->timer) == 0;
  return script->has_timer;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static struct timespec interval(uint64_t nanoseconds) {
  return (struct timespec){(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
}

void script_watch(struct script *script) {
  uint64_t most = (uint64_t)script->limits.milliseconds * 1000000;
  uint64_t taken = script->running->nanoseconds;
  struct itimerspec times = {
      .it_value = interval(most > taken ? most - taken : 1),
      .it_interval = interval((uint64_t)MILLISECONDS_OF_GRACE * 1000000),
  };
  script->running->nanoseconds = taken - now();
  script->is_late = 0;
  script->is_running = 1;
  timer_settime(script->timer, 0, &times, NULL);
}

void script_unwatch(struct script *script) {
  const struct itimerspec never = {0};
  timer_settime(script->timer, 0, &never, NULL);
  script->is_running = 0;
  script->running->nanoseconds += now();
}
