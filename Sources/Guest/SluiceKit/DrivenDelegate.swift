package import Wire

/// A delegate that carries out the host's instructions.
package protocol DrivenDelegate: ApplicationDelegate {
  /// Takes over the answers to later questions.
  func adopt(_ behaviour: Behaviour)
  /// Makes the request of the app itself, and calls `done` with the reason why it could not, or nil, and the content
  /// found when the outcome has come.
  func perform(
    _ request: GuestMessage.Body, with content: InstructedContent, as task: TaskContext?,
    in application: Application, done: @escaping (String?, [UInt8]) -> Void)
  /// Works on a file, and calls `done` with the reason for a failure, or nil, and the content that was read.
  func perform(
    _ work: FileWork, with content: InstructedContent, as task: TaskContext?,
    in application: Application, done: @escaping (String?, [UInt8]) -> Void)
  /// Calls `done` once the app stores none of the items that it has received, before which no account is wiped.
  func finishStoring(then done: @escaping () -> Void)
}
