/// The gaps that no machine closes: docs/security.md, "What remains open".
enum MachineRemainder {
  static let all = [
    "a program sees who holds a lock on a file that several may read, such as a library",
    "a program learns by `stat` whether files outside exist, their sizes and times",
    "guests learn of one another by load, caches, timing and free disk space",
    "ready-made guests come from one zygote, so that each knows where code and data of the others lie",
    "guests of one app group share its container, and no verdict is asked",
    "what guests write is bounded only once it has been counted, and so is what programs start without control groups",
    "what waits in a program's sockets and pipes, files that are sent there included, counts for nobody without control groups",
    "what the kernel counts for a user, such as processes, epoll watches and files on their way, programs can use up for others",
    "a program that reads a shared file may move its time of access, which others see",
    "programs may make most system calls, and a hole in one of them is a hole for guests",
    "guests run as the user of `sluice`, and reach whatever the kernel does not keep from them",
  ]
}
