public import Wire

/// A delegate that carries out the instructions of whoever drives the device, such as a scenario's steps.
public protocol InstructedDelegate: ApplicationDelegate {
  /// Carries out an instruction.
  ///
  /// - Parameters:
  ///   - behaviour: how the app answers later questions, as far as it is stated.
  ///   - done: takes the reason why it could not be tried, or nil, and the content that was found, when its outcome has
  ///     come.
  func perform(
    _ instruction: Instruction, _ behaviour: Behaviour, in application: Application,
    done: @escaping (_ failure: String?, _ found: [UInt8]) -> Void)
}

/// The delegate of the ready-made guest.
package protocol DrivenDelegate: InstructedDelegate {
  /// Calls `done` once the app stores none of the items that it has received, before which no account is wiped.
  func finishStoring(then done: @escaping () -> Void)
}
