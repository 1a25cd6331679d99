// These are attempts on the memory, limits and scheduling of another process.
#define _GNU_SOURCE
#include <linux/ioprio.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attempt.h"

static long limit(int resource) {
  struct rlimit limit;
  if (prlimit(victims.process, resource, NULL, &limit) < 0) return -1;
  limit.rlim_cur = limit.rlim_max;
  return prlimit(victims.process, resource, &limit, NULL);
}

static long make_idle(void) {
  const struct sched_param parameter = {0};
  return sched_setscheduler(victims.process, SCHED_IDLE, &parameter);
}
static long set_parameter(void) {
  const struct sched_param parameter = {0};
  return sched_setparam(victims.process, &parameter);
}
static long set_attributes(void) {
  const struct {
    unsigned size, policy;
    unsigned long flags;
    int nice;
    unsigned priority;
    unsigned long runtime, deadline, period;
  } attributes = {.size = 48, .policy = SCHED_BATCH};
  return syscall(SYS_sched_setattr, victims.process, &attributes, 0);
}
static long bind_to_processor(void) {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(0, &processors);
  return sched_setaffinity(victims.process, sizeof processors, &processors);
}
static long signal_by_descriptor(void) {
  const long process = syscall(SYS_pidfd_open, victims.process, 0);
  return process < 0 ? -1 : syscall(SYS_pidfd_send_signal, process, SIGCONT, NULL, 0);
}
static long take_descriptor(void) {
  const long process = syscall(SYS_pidfd_open, victims.process, 0);
  return process < 0 ? -1 : syscall(SYS_pidfd_getfd, process, 0, 0);
}
static long advise_memory(void) {
  const long process = syscall(SYS_pidfd_open, victims.process, 0);
  struct iovec range = {(void *)0x1000, 0x1000};
  return process < 0 ? -1 : syscall(SYS_process_madvise, process, &range, 1, 20, 0);
}
static char byte;
static long read_memory(void) {
  const struct iovec here = {&byte, 1}, there = {&byte, 1};
  return process_vm_readv(victims.process, &here, 1, &there, 1, 0);
}
static long write_memory(void) {
  const struct iovec here = {&byte, 1}, there = {&byte, 1};
  return process_vm_writev(victims.process, &here, 1, &there, 1, 0);
}
static long migrate_pages(void) {
  const unsigned long node = 1;
  return syscall(SYS_migrate_pages, victims.process, 64, &node, &node);
}

// Leaves a child to the host, which would not reap it.
static long leave_child_to_host(void) {
  const long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
  if (child == 0) _exit(0);
  return child;
}
static long raise_limit(void) {
  const struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  return setrlimit(RLIMIT_AS, &limit);
}

static long find_process(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d", victims.process);
  return access(path, F_OK);
}

void attempt_processes(void) {
  TRY("limit the processor time of another process", FILTER | NAMESPACES, limit(RLIMIT_CPU));
  TRY("limit the files of another process", FILTER | NAMESPACES, limit(RLIMIT_FSIZE));
  TRY("limit the memory of another process", FILTER | NAMESPACES, limit(RLIMIT_AS));
  TRY("limit the descriptors of another process", FILTER | NAMESPACES,
      limit(RLIMIT_NOFILE));
  TRY("limit the core file of another process", FILTER | NAMESPACES, limit(RLIMIT_CORE));
  TRY("make another process idle", FILTER | NAMESPACES, make_idle());
  TRY("set scheduling parameters of another process", FILTER | NAMESPACES, set_parameter());
  TRY("set scheduling attributes of another process", FILTER | NAMESPACES, set_attributes());
  TRY("bind another process to a processor", FILTER | NAMESPACES, bind_to_processor());
  TRY("lower the priority of another process", FILTER | NAMESPACES,
      setpriority(PRIO_PROCESS, (id_t)victims.process, 5));
  TRY("lower the priority of another process group", FILTER | NAMESPACES,
      setpriority(PRIO_PGRP, (id_t)getpgid(victims.process), 5));
  TRY("delay the disk of another process", FILTER | NAMESPACES,
      syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, victims.process,
              IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0)));
  TRY("ask whether another process takes signals", LANDLOCK | NAMESPACES, kill(victims.process, 0));
  TRY("signal another process", LANDLOCK | NAMESPACES, kill(victims.process, SIGCONT));
  TRY("signal a thread of another process", LANDLOCK | NAMESPACES,
      syscall(SYS_tgkill, victims.process, victims.process, SIGCONT));
  TRY("queue a signal for another process", LANDLOCK | NAMESPACES,
      sigqueue(victims.process, SIGCONT, (union sigval){0}));
  TRY("signal another process by a descriptor", LANDLOCK | NAMESPACES, signal_by_descriptor());
  TRY("take a descriptor of another process", FILTER | LANDLOCK | NAMESPACES, take_descriptor());
  TRY("advise on the memory of another process", FILTER | LANDLOCK | NAMESPACES, advise_memory());
  TRY("trace another process", FILTER | LANDLOCK | NAMESPACES,
      ptrace(PTRACE_ATTACH, victims.process, NULL, NULL));
  TRY("seize another process", FILTER | LANDLOCK | NAMESPACES,
      ptrace(PTRACE_SEIZE, victims.process, NULL, NULL));
  TRY("read the memory of another process", FILTER | LANDLOCK | NAMESPACES, read_memory());
  TRY("write the memory of another process", FILTER | LANDLOCK | NAMESPACES, write_memory());
  TRY("compare descriptors with another process", FILTER | LANDLOCK | NAMESPACES,
      syscall(SYS_kcmp, getpid(), victims.process, 0, 0, 0));
  TRY("migrate the pages of another process", FILTER | LANDLOCK | NAMESPACES, migrate_pages());
  TRY("move the pages of another process", FILTER | LANDLOCK | NAMESPACES,
      syscall(SYS_move_pages, victims.process, 0, NULL, NULL, NULL, 0));
  TRY("look for another process", NAMESPACES, find_process());
  TRY("outlive the host", FILTER, prctl(PR_SET_PDEATHSIG, 0));
  TRY("leave a child to the host", FILTER, leave_child_to_host());
  TRY("raise a limit", LIMITS, raise_limit());
}
