public import Wire

/// A delegate of an app with a simulated user, whose actions are a scenario's steps.
///
/// The system's gestures and sheets (copy, paste, share, save, open a URL) work without the app's code.
/// Actions on the app's own screens are passed to the app.
public protocol InteractiveDelegate: InstructedDelegate {
  /// Called when the user signs in with an account.
  ///
  /// - Returns: true if the app shows its own sign-in, which handles the account. If false,
  ///   the SDK signs the account in.
  func userDidSignIn(withAccountId accountId: String) -> Bool
  /// Called when the user acts on the app's content, leaves the app or returns to it.
  ///
  /// - Parameter done: call with nil once the app has handled the action, or with the reason if the action
  ///   applies to nothing that the app shows.
  func user(_ act: UserAct, done: @escaping (_ failure: String?) -> Void)
}

extension InteractiveDelegate {
  public func perform(
    _ instruction: Instruction, _ behaviour: Behaviour, in application: Application,
    done: @escaping (_ failure: String?, _ found: [UInt8]) -> Void
  ) {
    switch instruction {
    case .nothing, .look: done(nil, [])
    case .act(let bytes): perform(bytes) { done($0, []) }
    case .work: done("the files of this app are its own code's", [])
    case .ask(_, .received), .ask(_, .retyped): done("this app does not report its items", [])
    case .ask(let message, .stated):
      if case .signIn(let account) = message.body, userDidSignIn(withAccountId: account) {
        return done(nil, [])
      }
      application.request(message.body, as: message.task) { outcome in
        done(nil, outcome.items.first?.bytes ?? [])
      }
    }
  }

  private func perform(_ bytes: [UInt8], _ done: @escaping (_ failure: String?) -> Void) {
    do throws(WireError) {
      user(try UserAct(encoded: bytes), done: done)
    } catch {
      done("this app is older than the device and does not support this user action: \(error)")
    }
  }
}
