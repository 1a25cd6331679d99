import Model
import SluiceKit
import Testing
import TestSupport
import Wire

/// The host's messages reach their receivers, and its calls are answered. Each test runs in a
/// separate process, because an app's error may end the process.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct HostMessageTests {
  @Test func `an app's delegate answers requests from the host, such as identity switches`() async {
    await #expect(processExitsWith: .success) {
      let said = try HostMessageTests.app(Willing()) { peer in
        peer.tell(.provideItem(ask: 1, requester: "com.example.mail"))
        peer.tell(.identitySwitchRequired(ask: 2, account: "anna", reason: "openURL"))
        peer.tell(.identitySwitchRequired(ask: 3, account: "anna", reason: "of tomorrow"))
        peer.tell(.delegateCall(ask: 4, .add, account: "anna"))
        peer.tell(.delegateCall(ask: 5, .block, account: "anna"))
        peer.tell(.delegateCall(ask: 6, .restart, account: "anna"))
        peer.tell(.perform(ask: 7, .nothing, Behaviour()))
        peer.tell(.perform(ask: 8, .act([1]), Behaviour()))
      }
      let refusal =
        "the app's own program carries out no such step; let the program act, or use the ready-made guest"
      #expect(
        said.dropFirst() == [
          .provided(ask: 1, Item(text: "for com.example.mail")),
          .identitySwitchAnswer(ask: 2, isSuccess: true),
          .identitySwitchAnswer(ask: 3, isSuccess: false),
          .delegateAnswer(ask: 4, isSuccess: true), .delegateAnswer(ask: 5, isSuccess: true),
          .delegateAnswer(ask: 6, isSuccess: true),
          .performed(ask: 7, failure: refusal), .performed(ask: 8, failure: refusal),
        ])
    }
  }

  @Test func `a sign-in uses the app's own prompt or the SDK's`()
    async
  {
    await #expect(processExitsWith: .success) {
      let user = User()
      let said = try HostMessageTests.app(user) { peer in
        let anna = GuestMessage(.signIn(account: "anna@contoso.com"))
        peer.tell(.perform(ask: 1, .ask(anna), Behaviour()))
        peer.tell(.perform(ask: 2, .ask(anna), Behaviour()))
        peer.tell(.perform(ask: 3, .ask(GuestMessage(.paste), .received), Behaviour()))
        peer.tell(.perform(ask: 4, .nothing, Behaviour()))
        peer.tell(
          .perform(ask: 5, .act(UserAct.tap(button: "OK", title: nil).encoded()), Behaviour()))
        peer.tell(.perform(ask: 6, .act(UserAct.cancel.encoded()), Behaviour()))
        peer.tell(.perform(ask: 7, .act([0xff]), Behaviour()))
      }
      #expect(
        said.dropFirst() == [
          .performed(ask: 1, failure: nil), .signIn(account: "anna@contoso.com"),
          .performed(ask: 3, failure: "this app does not report its items"),
          .performed(ask: 4, failure: nil), .performed(ask: 5, failure: nil),
          .performed(ask: 6, failure: "this app is always in front"),
          .performed(
            ask: 7,
            failure:
              "this app is older than the device and does not support this user action: a frame of 1 bytes that is not a valid message"
          ),
        ])
      #expect(user.signIns == ["anna@contoso.com"])
    }
  }

  @Test func `an app can read the accounts that the host reports to the SDK`() async {
    await #expect(processExitsWith: .success) {
      _ = try HostMessageTests.app(AccountReader()) { peer in
        peer.tell(
          .enrolledAccounts(
            EnrolledAccounts(
              registered: ["oid"], enrolled: ["oid"], managed: ["oid"], pinRequired: ["oid"],
              allowedUPN: "anna@contoso.com", mdmEnrolled: "oid",
              names: [AccountNames(upn: "Anna@contoso.com", objectID: "oid")])))
        peer.tell(.notice("policyDidChange", account: ""))
        // Names remain known after the account is removed, for later messages about it.
        peer.tell(.enrolledAccounts(EnrolledAccounts()))
        peer.tell(.notice("wipeDidComplete", account: "anna@contoso.com"))
      }
    }
  }

  @Test func `an app declines host requests for methods that its delegate lacks`() async {
    await #expect(processExitsWith: .success) {
      let said = try HostMessageTests.app(Quiet()) { peer in
        peer.tell(.provideItem(ask: 1, requester: "com.example.mail"))
        peer.tell(.identitySwitchRequired(ask: 2, account: "anna", reason: "openURL"))
        peer.tell(.delegateCall(ask: 3, .add, account: "anna"))
        peer.tell(.delegateCall(ask: 4, .block, account: "anna"))
        peer.tell(.delegateCall(ask: 5, .restart, account: "anna"))
        peer.tell(.provideRepresentation(ask: 6, share: 1, HostMessageTests.text))
      }
      #expect(
        said.dropFirst() == [
          .provided(ask: 1, nil), .identitySwitchAnswer(ask: 2, isSuccess: false),
          .delegateAnswer(ask: 3, isSuccess: false), .delegateAnswer(ask: 4, isSuccess: false),
          .delegateAnswer(ask: 5, isSuccess: false), .provided(ask: 6, nil),
        ])
    }
  }

  @Test func `the SDK stores a state change before it notifies the app's delegate`() async {
    await #expect(processExitsWith: .success) {
      let listener = Listener()
      let configuration = DeliveredConfiguration([["server": .text("a.example")]]).json
      let told = ConfigurationNews(account: "anna@contoso.com", dictionaries: configuration)
      var change = told
      change.isChange = true
      let said = try HostMessageTests.app(listener) { peer in
        peer.tell(.clockAdvanced(time: 86_400))
        // The app starts with this configuration.
        peer.tell(.appConfiguration(told))
        peer.tell(.appConfiguration(change))
        peer.tell(.managedAppChanged(.passwords))
        peer.tell(.notice("policyDidChange", account: ""))
        peer.tell(.notice("of tomorrow", account: ""))
        peer.tell(.enrolledAccounts(EnrolledAccounts(registered: ["anna"], enrolled: ["anna"])))
        peer.tell(.notice("wipeDidComplete", account: "anna"))
      }
      #expect(
        said.dropFirst() == [
          .log("appConfigDidChange anna@contoso.com a.example 86400"), .log("passwords"),
          .log("policyDidChange nobody 0"), .log("wipeDidComplete anna 1"),
        ])
    }
  }

  @Test func `while an app opens a URL, the SDK reports the sender's account`() async {
    await #expect(processExitsWith: .success) {
      let said = try HostMessageTests.app(Listener()) { peer in
        peer.tell(.openedURL(sequence: 1, url: "a:b", sender: "mail", account: "anna"))
        peer.tell(.openedURL(sequence: 2, url: "a:c", sender: "mail", account: ""))
        peer.tell(.delivery(Delivery(sequence: 3, item: Item(text: "Hi"), sender: "mail")))
        peer.tell(.extensionRequest(ExtensionRequest(items: [], sender: "mail")))
      }
      let logs = said.filter { if case .log = $0 { true } else { false } }
      #expect(logs == [.log("a:b anna"), .log("a:c nobody"), .log("Hi nobody")])
      #expect(said.contains(.cancelExtension(why: "this app is not an extension")))
      #expect(said.contains(.acknowledge(through: 3)))
    }
  }

  private static let text = RepresentationReference(item: 0, attachment: 0, type: "public.text")

  /// Returns the messages of an app from its start until its host stops it.
  private static func app(
    _ delegate: any ApplicationDelegate, _ host: (Peer) -> Void
  ) throws -> [GuestMessage.Body] {
    let peer = try Peer(delegate: delegate)
    host(peer)
    peer.stop()
    peer.application.run()
    defer { peer.close() }
    return peer.messages()
  }
}

private final class Quiet: ApplicationDelegate {}

/// A delegate that accepts every call.
private final class Willing: ApplicationDelegate {
  func application(_ application: Application, itemForRequester requester: String) -> Item? {
    Item(text: "for \(requester)")
  }

  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason
  ) -> IntuneMAMAddIdentityResult { reason == .openURL ? .success : .failed }

  func addAccountId(_ accountId: String) -> IntuneMAMAddIdentityResult { .success }
  func blockAccountId(_ accountId: String) -> IntuneMAMAddIdentityResult { .success }
  func restartApplication(_ application: Application) -> Bool { true }
}

/// A delegate that logs its calls, and the SDK's state at the time.
private final class Listener: ApplicationDelegate {
  func application(_ application: Application, didReceive item: ReceivedItem) {
    let who = application.policyManager.getAccountIdForCurrentActivity() ?? "nobody"
    application.log("\(item.item.text ?? "") \(who)")
  }

  func application(_ application: Application, open url: String, from sender: String) {
    let who = application.policyManager.getAccountIdForCurrentActivity() ?? "nobody"
    application.log("\(url) \(who)")
  }

  func application(
    _ application: Application, didPost notification: IntuneMAMNotification,
    forAccountId accountId: String?
  ) {
    let now =
      if notification == .appConfigDidChange {
        application.appConfigManager.appConfig(forAccountId: accountId)
          .stringValue(forKey: "server", queryType: .any).map { "\($0) \(application.now)" } ?? "?"
      } else {
        "\(application.enrollmentManager.enrolledAccountIds().count)"
      }
    application.log("\(notification.rawValue) \(accountId ?? "nobody") \(now)")
  }

  func application(_ application: Application, managedAppDidChange aspect: ManagedAspect) {
    application.log("\(aspect)")
  }
}

/// The user of an app, who signs in once.
private final class User: InteractiveDelegate {
  private(set) var signIns: [String] = []

  func userDidSignIn(withAccountId accountId: String) -> Bool {
    guard signIns.isEmpty else { return false }
    signIns.append(accountId)
    return true
  }

  func user(_ act: UserAct, done: @escaping (String?) -> Void) {
    done(act == .tap(button: "OK", title: nil) ? nil : "this app is always in front")
  }
}

/// A delegate that compares the known accounts with the accounts that the test has sent.
private final class AccountReader: ApplicationDelegate {
  func application(
    _ application: Application, didPost notification: IntuneMAMNotification,
    forAccountId accountId: String?
  ) {
    let manager = application.enrollmentManager
    #expect(manager.accountId(of: "ANNA@contoso.com") == "oid")
    #expect(manager.accountId(of: "bob@contoso.com") == "bob@contoso.com")
    switch notification {
    case .policyDidChange:
      #expect(manager.managedAccountIds() == ["oid"])
      #expect(manager.accountIdsWithPIN() == ["oid"])
      #expect(manager.allowedAccounts() == ["anna@contoso.com"])
      #expect(manager.allowedAccountIds() == nil)
      #expect(manager.mdmEnrolledAccountId() == "oid")
    case .wipeDidComplete, .allowedAccountsDidChange, .dataProtectionDidChange, .appConfigDidChange:
      #expect(manager.managedAccountIds().isEmpty)
      #expect(manager.allowedAccounts() == nil)
      #expect(manager.mdmEnrolledAccountId() == nil)
    }
  }
}
