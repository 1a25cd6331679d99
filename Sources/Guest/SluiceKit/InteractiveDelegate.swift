public import Wire

/// A delegate of an app that has a user in front of it: a scenario's steps say what the user does.
///
/// What the system's own gestures and sheets do for any app (copy, paste, share, save, open a URL), the user does without
/// the app's code. What the app's own screens ask for, the app takes.
public protocol InteractiveDelegate: InstructedDelegate {
  /// The user signs in with an account.
  ///
  /// - Returns: whether the app shows a sign-in, which takes the account. False: the account is signed in to the app as
  ///   the SDK signs one in.
  func userDidSignIn(withAccountId accountId: String) -> Bool
  /// The user does something with what the app shows, leaves the app, or comes back to it.
  ///
  /// - Parameter done: takes the reason why the app shows nothing of the kind; nil once it has taken it.
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
    case .ask(_, .received), .ask(_, .retyped): done("this app does not say what it holds", [])
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
      done("this app is older than the device, and does not know what its user does: \(error)")
    }
  }
}
