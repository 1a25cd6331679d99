internal import SluiceKit
internal import Wire

/// The connection's delegate in SluiceKit, which forwards each event to the inbox and each answer
/// to the device. If the app has never used the SDK, requests to the SDK get the answer of an app
/// without SDK delegates.
final class DeviceDelegate: InteractiveDelegate, AsyncDelegate {
  private let inbox: EventInbox
  /// The app to which this delegate belongs. It is set after the app has been created.
  unowned var application: Application?

  init(_ inbox: EventInbox) { self.inbox = inbox }

  /// Returns the account's object id, with which the SDK identifies accounts to apps.
  private func objectID(_ name: String) -> String {
    application?.enrollmentManager.accountId(of: name) ?? name
  }

  // MARK: Calls to the app

  func application(_ application: Application, didReceive item: ReceivedItem) {
    let acknowledge = Answer(application.postponeAcknowledgement())
    inbox.postContent { [inbox] in
      guard let system = inbox.system else { return acknowledge.give() }
      system.receive(item) { acknowledge.give() }
    }
  }

  func application(_ application: Application, open url: String, from sender: String) {
    let account = application.policyManager.getAccountIdForCurrentActivity().map(objectID)
    let acknowledge = Answer(application.postponeAcknowledgement())
    inbox.postContent { [inbox] in
      guard let system = inbox.system else { return acknowledge.give() }
      system.open(url, from: sender, accountId: account) { acknowledge.give() }
    }
  }

  func application(
    _ application: Application, open document: OpenedDocument, from sender: String
  ) {
    inbox.post { [inbox] in inbox.system?.open(document, from: sender) }
  }

  func application(
    _ application: Application, itemForRequester requester: String,
    answer: @escaping (Item?) -> Void
  ) {
    let answer = Answer(answer)
    inbox.post { [inbox] in
      guard let system = inbox.system else { return answer.give(nil) }
      system.item(forRequester: requester) { answer.give($0) }
    }
  }

  func beginRequest(with context: ExtensionContext) {
    inbox.post { [inbox] in
      guard let system = inbox.system else {
        return context.cancelRequest(withError: "this app is not an extension")
      }
      system.beginRequest(with: context)
    }
  }

  func userDidSignIn(withAccountId accountId: String) -> Bool {
    AppProcess.current.signInPrompts.answer(accountId)
  }

  func user(_ act: UserAct, done: @escaping (String?) -> Void) {
    let answer = Answer(done)
    let event = { [inbox] in
      guard let system = inbox.system else { return answer.give("this app has no user interface") }
      system.user(act) { answer.give($0) }
    }
    if act == .launch { inbox.endLaunchContent(event) } else { inbox.post(event) }
  }

  // MARK: Calls to the SDK

  func application(
    _ application: Application, didPost notification: IntuneMAMNotification,
    forAccountId accountId: String?
  ) {
    let account = accountId.map(objectID)
    inbox.post { [inbox] in inbox.sdk?.didPost(notification, forAccountId: account) }
  }

  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    let account = objectID(accountId)
    ask(answer, orElse: .failed) {
      $0.identitySwitchRequired(forAccountId: account, reason: reason, answer: $1)
    }
  }

  func addAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    let account = objectID(accountId)
    ask(answer, orElse: .failed) { $0.addAccountId(account, answer: $1) }
  }

  func blockAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    let account = objectID(accountId)
    ask(answer, orElse: .failed) { $0.blockAccountId(account, answer: $1) }
  }

  func restartApplication(_ application: Application, answer: @escaping (Bool) -> Void) {
    ask(answer, orElse: false) { $0.restartApplication(answer: $1) }
  }

  func wipeData(forAccountId accountId: String, answer: @escaping (Bool) -> Void) -> Bool {
    let account = objectID(accountId)
    ask(answer, orElse: false) { $0.wipeData(forAccountId: account, answer: $1) }
    return true
  }

  func clockDidAdvance(in application: Application) {}

  private func ask<Value: Sendable>(
    _ answer: @escaping (Value) -> Void, orElse default: Value,
    _ question: @escaping (any SDKReceiver, @escaping @Sendable (Value) -> Void) -> Void
  ) {
    let answer = Answer(answer)
    inbox.post { [inbox] in
      guard let sdk = inbox.sdk else { return answer.give(`default`) }
      question(sdk) { answer.give($0) }
    }
  }
}
