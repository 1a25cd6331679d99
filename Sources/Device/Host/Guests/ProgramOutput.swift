internal import EventLoop

/// The standard output and error of a program or script, which has the pipe for itself. One that writes without end
/// rests, as does a guest that sends without end.
final class ProgramOutput: GuestOutput {
  private let pipe: Pipe
  private let slices: TimeSlices
  /// Whether what has been written is being read at once, however much it is.
  private var isReadingRest = false

  /// Reads from `pipe`, and calls `body` with what has been written.
  init(_ pipe: Pipe, _ slices: TimeSlices, _ body: @escaping (UnsafeRawBufferPointer) -> Void) {
    self.pipe = pipe
    self.slices = slices
    pipe.onRead = { [weak self] bytes in
      body(bytes)
      if bytes.count == EventLoop.readSize { self?.rest() }
    }
    read()
  }

  private func rest() {
    guard !isReadingRest else { return }
    pipe.stopReading()
    slices.rest { [weak self] in self?.read() }
  }

  /// Reads from now on. A pipe that cannot be read is at its end, which the process's exit tells.
  private func read() { try? pipe.startReading() }

  func readRest() {
    isReadingRest = true
    defer { isReadingRest = false }
    read()
    pipe.readRest()
  }

  func close() { pipe.close() }
}
