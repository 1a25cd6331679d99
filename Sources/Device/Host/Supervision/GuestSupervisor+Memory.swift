internal import EventLoop
internal import Glibc
internal import Model

/// The memory of extensions: iOS ends those that take more than their extension point gives them.
extension GuestSupervisor {
  /// Looks at the memory of an extension's instance again and again, because there is no event for it.
  func watchMemory(of instance: Guest) throws(EventLoopError) {
    guard let limit = instance.app.kind.memoryLimit else { return }
    instance.process.memoryTimer = try Timer(on: loop) { [unowned self, unowned instance] in
      guard let pid = instance.process.handle?.pid, let resident = residentBytes(of: pid),
        resident > limit
      else { return }
      instance.process.memoryTimer?.stop()
      turn { end(instance, .memoryLimit(mebibytes: limit >> 20)) }
    }
    instance.process.memoryTimer?.start(after: Self.lookEvery, every: Self.lookEvery)
  }

  /// Time between two looks, in milliseconds.
  private static let lookEvery: UInt64 = 20
}

/// Resident memory of a process in bytes; nil where there is no such process any longer.
private func residentBytes(of pid: Int32) -> Int? {
  let descriptor = open("/proc/\(pid)/statm", O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 128)
  let count = read(descriptor, &bytes, bytes.count)
  guard count > 0 else { return nil }
  let fields = bytes[..<count].split(separator: UInt8(ascii: " "))
  guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else {
    return nil
  }
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
