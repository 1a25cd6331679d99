internal import Wire

/// What a scenario's steps have the user of an app do.
struct UserActs {
  private let host: any HostPort
  private let delegate: any InteractiveDelegate

  init(_ host: any HostPort, _ delegate: any InteractiveDelegate) {
    self.host = host
    self.delegate = delegate
  }

  /// - Parameter done: takes the reason why the user cannot, or nil, and the content that was found.
  func perform(
    _ instruction: Instruction, _ done: @escaping (_ failure: String?, _ found: [UInt8]) -> Void
  ) {
    switch instruction {
    case .nothing, .look: done(nil, [])
    case .act(let act): delegate.user(act) { done($0, []) }
    case .work: done("the files of this app are its own code's", [])
    case .ask(_, .received), .ask(_, .retyped): done("this app does not say what it holds", [])
    case .ask(let message, .stated):
      if case .signIn(let account) = message.body, delegate.userDidSignIn(withAccountId: account) {
        return done(nil, [])
      }
      host.request(message.body, as: message.task) { outcome in
        done(nil, outcome.items.first?.bytes ?? [])
      }
    }
  }
}
