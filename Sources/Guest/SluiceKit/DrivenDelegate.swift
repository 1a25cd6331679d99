package import Wire

/// A delegate that does what the host tells it.
package protocol DrivenDelegate: ApplicationDelegate {
  /// Takes over how to answer from now on.
  func adopt(_ behaviour: Behaviour)
  /// Makes the request of its own, and calls `done` when it has its outcome, with what it found.
  func perform(
    _ request: GuestMessage.Body, as task: TaskContext?, in application: Application,
    done: @escaping ([UInt8]) -> Void)
  /// Works on a file, and calls `done` with why that failed, or nil, and what it read.
  func perform(
    _ work: FileWork, as task: TaskContext?, in application: Application,
    done: @escaping (String?, [UInt8]) -> Void)
}
