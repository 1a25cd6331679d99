internal import Glibc
internal import JSON
internal import Transfer

/// The device's log of what happened: JSON Lines, appended to, never changed.
///
/// Events gather until ``flush()``, which every turn of the loop calls before anybody is told anything.
final class Journal {
  private let descriptor: Int32
  private let isSynchronized: Bool
  private var writer = JSONWriter()
  private var sequence: Int
  /// Number of the last request that earlier runs of the device decided.
  let lastRequest: Int

  /// Opens or creates the file.
  ///
  /// - Throws: ``HostError``.
  init(path: String, isSynchronized: Bool) throws(HostError) {
    descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw HostError(.journal, "cannot open the journal `\(path)`: \(lastError())")
    }
    self.isSynchronized = isSynchronized
    let tail = JournalTail(descriptor: descriptor)
    sequence = tail.sequence
    lastRequest = tail.request
  }

  /// Gives the file back. Nothing can be appended afterwards.
  func close() { Glibc.close(descriptor) }

  func append(_ kind: JournalEvent.Kind, time: Int) {
    sequence += 1
    JournalEvent(sequence: sequence, time: time, kind: kind).write(to: &writer)
    writer.endLine()
  }

  /// The same for a decision that is like others.
  func append(_ template: DecisionTemplate, request: Int, bytes: Int, time: Int) {
    sequence += 1
    template.write(
      sequence: sequence, time: time, request: request, bytes: bytes, to: &writer)
    writer.endLine()
  }

  /// Hands everything to the kernel, and to the disk where that is asked for.
  func flush() {
    guard !writer.bytes.isEmpty else { return }
    writer.bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let written = write(
          descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        if written < 0 {
          if errno == EINTR { continue }
          // Going on would answer requests that nobody could account for.
          preconditionFailure("cannot write the journal: \(lastError())")
        }
        offset += written
      }
    }
    if isSynchronized { fdatasync(descriptor) }
    writer.removeAll()
  }
}

/// The system's words for `errno`.
func lastError() -> String { String(cString: strerror(errno)) }
