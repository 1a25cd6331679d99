internal import Glibc

/// A process's folder in `/proc` (proc(5)). If the system denies access to a file in it, the file's values are unknown.
struct ProcessFolder {
  let process: Int32
  private let path: String

  init(of process: Int32) {
    self.process = process
    path = "/proc/\(process)"
  }

  /// Returns the descendants of the calling process. They include orphans that it has adopted.
  ///
  /// - Parameter childless: Ids of processes that are known to have no children, so they need not be searched for
  ///   children.
  static func descendants(childless: Set<Int32> = []) -> [ProcessFolder] {
    ProcessFolder(of: getpid()).descendants(childless: childless)
  }

  private func descendants(childless: Set<Int32> = []) -> [ProcessFolder] {
    var found = children
    var known = Set(found.map(\.process))
    var next = 0
    while next < found.count {
      let parent = found[next]
      next += 1
      guard !childless.contains(parent.process) else { continue }
      found += parent.children.filter { known.insert($0.process).inserted }
    }
    return found
  }

  private var children: [ProcessFolder] {
    names(in: "task").flatMap { thread in
      text(of: "task/\(thread)/children").split(separator: " ").compactMap { Int32($0) }
        .map(ProcessFolder.init)
    }
  }

  /// The paths of the links in `/proc` to the open files of all the process's threads, because each thread may have its
  /// own open files.
  var openFiles: [String] {
    names(in: "task").flatMap { thread in
      names(in: "task/\(thread)/fd").map { "\(path)/task/\(thread)/fd/\($0)" }
    }
  }

  /// The inode number of the process's PID namespace; nil if it cannot be read.
  var namespace: UInt64? {
    var status = stat()
    return stat("\(path)/ns/pid", &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// The number of threads, the size of the address space in bytes, and the resident memory in bytes. The sizes include
  /// memory that is shared with other processes. All are 0 if the process no longer exists.
  var extent: (threads: Int, addressSpace: Int, resident: Int) {
    let fields = statistics
    guard fields.count > 22, let threads = Int(fields[18]), let bytes = Int(fields[21]),
      let pages = Int(fields[22])
    else { return (0, 0, 0) }
    return (threads, bytes, pages * Int(sysconf(Int32(_SC_PAGESIZE))))
  }

  /// The fields of proc_pid_stat(5) from the second one. Empty if the process no longer exists.
  private var statistics: [Substring] {
    // The process's name is in parentheses and may contain parentheses.
    let text = text(of: "stat")
    return text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
  }

  /// The running time of the main thread, and its waiting time for a processor, in milliseconds. `isHeldUp` is true
  /// while the thread is ready to run or waits for the disk. Nil if the kernel does not count the times, or the process
  /// no longer exists (proc_pid_schedstat(5), proc_pid_stat(5)).
  var mainThread: (ran: UInt64, waited: UInt64, isHeldUp: Bool)? {
    let fields = text(of: "schedstat").split { $0.isWhitespace }
    guard fields.count > 1, let ran = UInt64(fields[0]), let waited = UInt64(fields[1]) else {
      return nil
    }
    let state = statistics.dropFirst().first
    return (ran / 1_000_000, waited / 1_000_000, state == "R" || state == "D")
  }

  /// Returns the total processor time of the process, its descendants and the orphans in its PID namespace, in
  /// milliseconds. Exited processes are included if their parents have waited for them. Returns nil if a parent ignores
  /// SIGCHLD, because the kernel then does not count that parent's exited children (wait(2)).
  ///
  /// - Parameter parent: The parent of the PID namespace's init process, which adopts orphans; nil if there is no init
  ///   process.
  func processorTime(withInitOf parent: Int32?) -> UInt64? {
    var ticks: UInt64 = 0
    let roots = [self, parent.flatMap(initProcess)].compactMap(\.self)
    for process in roots + roots.flatMap({ $0.descendants() }) {
      let fields = process.statistics
      guard fields.count > 15 else { continue }
      if process.ignoresExits { return nil }
      for field in fields[12...15] { ticks += UInt64(field) ?? 0 }
    }
    return ticks * 1_000 / UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
  }

  private func initProcess(amongChildrenOf parent: Int32) -> ProcessFolder? {
    guard let namespace else { return nil }
    return ProcessFolder(of: parent).children.first { $0.namespace == namespace }
  }

  /// Whether the process ignores SIGCHLD (proc_pid_status(5)); false if unknown.
  private var ignoresExits: Bool {
    let line = text(of: "status").split(separator: "\n").first { $0.hasPrefix("SigIgn:") }
    let mask = line?.split { $0.isWhitespace }.last.flatMap { UInt64($0, radix: 16) } ?? 0
    return mask & 1 << UInt64(SIGCHLD - 1) != 0
  }

  /// The proportional set size in bytes: of memory that n processes share, 1/n counts for each. 0 if unknown. Reading
  /// it is slow, because the kernel walks the process's page tables.
  var proportion: Int {
    let line = text(of: "smaps_rollup").split(separator: "\n").first { $0.hasPrefix("Pss:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 } ?? 0
  }

  /// The number of bytes that the process and its exited children have written to files, pipes and other descriptors
  /// (`wchar` in proc_pid_io(5)); 0 if unknown.
  var writtenBytes: Int {
    let line = text(of: "io").split(separator: "\n").first { $0.hasPrefix("wchar: ") }
    return line.flatMap { Int($0.dropFirst("wchar: ".count)) } ?? 0
  }

  /// Returns whether a TCP connection at `port`, in the process's network namespace, is still being established or has
  /// sent bytes that the other end has not received. A busy kernel delivers such bytes later, from a thread of its own.
  ///
  /// Bytes to a receiver that still has unread bytes do not count.
  func hasDataInTransit(at port: Int) -> Bool {
    let ends = text(of: "net/tcp").split(separator: "\n").compactMap(ConnectionEnd.init)
      .filter { $0.isAt(port) }
    let readers = Set(ends.filter { !$0.hasUnreadBytes }.map(\.addresses))
    return ends.contains { end in
      end.isConnecting || end.hasUnacknowledgedBytes && readers.contains(end.otherAddresses)
    }
  }

  private func names(in folder: String) -> [String] {
    guard let stream = opendir("\(path)/\(folder)") else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.first?.isNumber == true { names.append(name) }
    }
    return names
  }

  private func text(of file: String) -> String {
    let descriptor = open("\(path)/\(file)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}

/// One end of a TCP connection, read from a line of `net/tcp` (proc_net(5)).
private struct ConnectionEnd {
  /// The addresses with ports, in hexadecimal digits.
  private let local: Substring
  private let remote: Substring
  private let state: Substring
  private let sending: Substring
  private let receiving: Substring

  init?(_ line: Substring) {
    let fields = line.split(separator: " ")
    guard fields.count > 4 else { return nil }
    let queues = fields[4].split(separator: ":")
    guard queues.count == 2 else { return nil }
    (local, remote, state) = (fields[1], fields[2], fields[3])
    (sending, receiving) = (queues[0], queues[1])
  }

  func isAt(_ port: Int) -> Bool {
    [local, remote].contains { address in
      address.split(separator: ":").last.flatMap { Int($0, radix: 16) } == port
    }
  }

  /// The addresses of both ends, beginning with this end.
  var addresses: String { "\(local) \(remote)" }

  /// The ``addresses`` of the other end.
  var otherAddresses: String { "\(remote) \(local)" }

  /// Whether the handshake is not complete: SYN_SENT or SYN_RECV.
  var isConnecting: Bool { state == "02" || state == "03" }

  var hasUnacknowledgedBytes: Bool { !sending.allSatisfy { $0 == "0" } }

  var hasUnreadBytes: Bool { !receiving.allSatisfy { $0 == "0" } }
}
