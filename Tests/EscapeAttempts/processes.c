// Attempts on the memory, limits and scheduling of another process.
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

typedef const struct victims Victims;

static long limit(Victims *victims, int resource) {
  struct rlimit limit;
  if (prlimit(victims->process, resource, NULL, &limit) < 0) return -1;
  limit.rlim_cur = limit.rlim_max;
  return prlimit(victims->process, resource, &limit, NULL);
}
static long limit_time(Victims *victims) { return limit(victims, RLIMIT_CPU); }
static long limit_file_size(Victims *victims) { return limit(victims, RLIMIT_FSIZE); }
static long limit_memory(Victims *victims) { return limit(victims, RLIMIT_AS); }
static long limit_descriptors(Victims *victims) { return limit(victims, RLIMIT_NOFILE); }
static long limit_core(Victims *victims) { return limit(victims, RLIMIT_CORE); }

static long make_idle(Victims *victims) {
  const struct sched_param parameter = {0};
  return sched_setscheduler(victims->process, SCHED_IDLE, &parameter);
}
static long set_parameter(Victims *victims) {
  const struct sched_param parameter = {0};
  return sched_setparam(victims->process, &parameter);
}
static long set_attributes(Victims *victims) {
  const struct {
    unsigned size, policy;
    unsigned long flags;
    int nice;
    unsigned priority;
    unsigned long runtime, deadline, period;
  } attributes = {.size = 48, .policy = SCHED_BATCH};
  return syscall(SYS_sched_setattr, victims->process, &attributes, 0);
}
static long bind_to_processor(Victims *victims) {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(0, &processors);
  return sched_setaffinity(victims->process, sizeof processors, &processors);
}
static long make_nice(Victims *victims) { return setpriority(PRIO_PROCESS, (id_t)victims->process, 5); }
static long make_group_nice(Victims *victims) {
  return setpriority(PRIO_PGRP, (id_t)getpgid(victims->process), 5);
}
static long delay_disk(Victims *victims) {
  return syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, victims->process,
                 IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0));
}
static long ask_signal(Victims *victims) { return kill(victims->process, 0); }
static long continue_it(Victims *victims) { return kill(victims->process, SIGCONT); }
static long thread_signal(Victims *victims) {
  return syscall(SYS_tgkill, victims->process, victims->process, SIGCONT);
}
static long queue_signal(Victims *victims) {
  return sigqueue(victims->process, SIGCONT, (union sigval){0});
}
static long signal_by_descriptor(Victims *victims) {
  const long process = syscall(SYS_pidfd_open, victims->process, 0);
  return process < 0 ? -1 : syscall(SYS_pidfd_send_signal, process, SIGCONT, NULL, 0);
}
static long take_descriptor(Victims *victims) {
  const long process = syscall(SYS_pidfd_open, victims->process, 0);
  return process < 0 ? -1 : syscall(SYS_pidfd_getfd, process, 0, 0);
}
static long advise_memory(Victims *victims) {
  const long process = syscall(SYS_pidfd_open, victims->process, 0);
  struct iovec range = {(void *)0x1000, 0x1000};
  return process < 0 ? -1 : syscall(SYS_process_madvise, process, &range, 1, 20, 0);
}
static long trace(Victims *victims) { return ptrace(PTRACE_ATTACH, victims->process, NULL, NULL); }
static long seize(Victims *victims) { return ptrace(PTRACE_SEIZE, victims->process, NULL, NULL); }
static char byte;
static long read_memory(Victims *victims) {
  const struct iovec here = {&byte, 1}, there = {&byte, 1};
  return process_vm_readv(victims->process, &here, 1, &there, 1, 0);
}
static long write_memory(Victims *victims) {
  const struct iovec here = {&byte, 1}, there = {&byte, 1};
  return process_vm_writev(victims->process, &here, 1, &there, 1, 0);
}
static long compare_files(Victims *victims) {
  return syscall(SYS_kcmp, getpid(), victims->process, 0, 0, 0);
}
static long migrate_pages(Victims *victims) {
  const unsigned long node = 1;
  return syscall(SYS_migrate_pages, victims->process, 64, &node, &node);
}
static long move_pages(Victims *victims) {
  return syscall(SYS_move_pages, victims->process, 0, NULL, NULL, NULL, 0);
}

static long survive_host(Victims *victims) {
  (void)victims;
  return prctl(PR_SET_PDEATHSIG, 0);
}
// A child of the host: nobody would reap it.
static long leave_child_to_host(Victims *victims) {
  (void)victims;
  const long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
  if (child == 0) _exit(0);
  return child;
}
static long raise_limit(Victims *victims) {
  (void)victims;
  const struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  return setrlimit(RLIMIT_AS, &limit);
}

static long find_process(Victims *victims) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d", victims->process);
  return access(path, F_OK);
}

const struct attempt process_attempts[] = {
    {"limit the processor time of another process", limit_time, FILTER | NAMESPACES},
    {"limit the files of another process", limit_file_size, FILTER | NAMESPACES},
    {"limit the memory of another process", limit_memory, FILTER | NAMESPACES},
    {"limit the descriptors of another process", limit_descriptors, FILTER | NAMESPACES},
    {"limit the core file of another process", limit_core, FILTER | NAMESPACES},
    {"make another process idle", make_idle, FILTER | NAMESPACES},
    {"set scheduling parameters of another process", set_parameter, FILTER | NAMESPACES},
    {"set scheduling attributes of another process", set_attributes, FILTER | NAMESPACES},
    {"bind another process to a processor", bind_to_processor, FILTER | NAMESPACES},
    {"lower the priority of another process", make_nice, FILTER | NAMESPACES},
    {"lower the priority of another process group", make_group_nice, FILTER | NAMESPACES},
    {"delay the disk of another process", delay_disk, FILTER | NAMESPACES},
    {"ask whether another process takes signals", ask_signal, LANDLOCK | NAMESPACES},
    {"signal another process", continue_it, LANDLOCK | NAMESPACES},
    {"signal a thread of another process", thread_signal, LANDLOCK | NAMESPACES},
    {"queue a signal for another process", queue_signal, LANDLOCK | NAMESPACES},
    {"signal another process by a descriptor", signal_by_descriptor, LANDLOCK | NAMESPACES},
    {"take a descriptor of another process", take_descriptor, FILTER | LANDLOCK | NAMESPACES},
    {"advise on the memory of another process", advise_memory, FILTER | LANDLOCK | NAMESPACES},
    {"trace another process", trace, FILTER | LANDLOCK | NAMESPACES},
    {"seize another process", seize, FILTER | LANDLOCK | NAMESPACES},
    {"read the memory of another process", read_memory, FILTER | LANDLOCK | NAMESPACES},
    {"write the memory of another process", write_memory, FILTER | LANDLOCK | NAMESPACES},
    {"compare descriptors with another process", compare_files, FILTER | LANDLOCK | NAMESPACES},
    {"migrate the pages of another process", migrate_pages, FILTER | LANDLOCK | NAMESPACES},
    {"move the pages of another process", move_pages, FILTER | LANDLOCK | NAMESPACES},
    {"look for another process", find_process, NAMESPACES},
    {"outlive the host", survive_host, FILTER},
    {"leave a child to the host", leave_child_to_host, FILTER},
    {"raise a limit", raise_limit, LIMITS},
    {0},
};
