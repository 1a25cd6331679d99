internal import Encodings
internal import Glibc
internal import Model

/// A log of data that differs between runs and is therefore not in the journal: pids, real time, and the output
/// of guests and servers.
final class Trace {
  private let descriptor: Int32
  private let owns: Bool
  private let start = Trace.now()

  /// Opens the trace; returns nil if tracing is off.
  ///
  /// - Throws: ``HostError`` if the file cannot be opened.
  static func make(_ mode: DeviceConfiguration.TraceMode) throws(HostError) -> Trace? {
    switch mode {
    case .off: return nil
    case .standardError: return Trace(STDERR_FILENO, owns: false).begin()
    case .file(let path):
      let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw HostError(.journal, "cannot open the trace `\(path)`: \(lastError())")
      }
      return Trace(descriptor, owns: true).begin()
    }
  }

  /// Writes the line with the start time, and returns this trace. The line has no guest name, so guests cannot forge it.
  private func begin() -> Trace {
    write("", "the device started at \(RealTime.text)")
    return self
  }

  private init(_ descriptor: Int32, owns: Bool) {
    self.descriptor = descriptor
    self.owns = owns
  }

  /// Closes the trace's file. Do not write to the trace afterwards.
  func close() { if owns { Glibc.close(descriptor) } }

  /// Writes `<milliseconds since start> <guest>: <line>` for each line of the text.
  ///
  /// Every line names its guest, and control characters are escaped. A guest can therefore neither imitate another
  /// guest's lines nor control a terminal.
  ///
  /// - Returns: The number of bytes added to the trace's file; 0 if the trace is standard error.
  @discardableResult
  func write(_ guest: String, _ text: some StringProtocol) -> Int {
    let head = "\(Trace.now() - start) \(guest): "
    var lines = String(text).unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    let bytes = lines.reduce(into: [UInt8]()) { bytes, line in
      bytes += (head + String(line).escapingUnprintable(except: ["\t"]) + "\n").utf8
    }
    let count = write(bytes)
    return owns ? count : 0
  }

  /// Writes the bytes, and returns the number that the file accepted.
  private func write(_ bytes: [UInt8]) -> Int {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        written += count
      } else if errno != EINTR {
        break
      }
    }
    return written
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}

/// The machine's wall-clock time, which differs between runs.
enum RealTime {
  /// The current UTC time with milliseconds: `2026-01-01T00:00:00.000Z`.
  static var text: String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let milliseconds = String(1_000 + time.tv_nsec / 1_000_000).dropFirst()
    return "\(Timestamp.text(time.tv_sec).dropLast()).\(milliseconds)Z"
  }
}
