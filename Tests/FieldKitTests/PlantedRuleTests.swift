import Model
import Policy
import Testing

@testable import FieldKit

/// Plants wrong rules in the engine and counts those that the kit's experiments tell from the right ones.
///
/// A planted rule has another effect, or decides where one of its conditions is different: a fact of the request is
/// dropped or reversed, a setting has another value, or a number differs by one. It counts if it changes an answer in
/// some experiment, under any of the kit's policies.
@Suite struct PlantedRuleTests {
  private struct Condition: Sendable {
    var name: String
    var change: Alternative.Change
  }

  @Test func `the field kit's experiments detect each planted rule that differs from the engine`() {
    let kit = FieldKit()
    let questions = Experiment.all.map(\.question).flatMap { question in
      [question]
        + KitPolicy.all.map { policy in
          question.changingSettings { settings, _ in settings = policy.document.settings }
        }
    }
    let conditions = Self.settings + Self.transfers + Self.others
    var (planted, missed) = (0, [String]())
    func plant(_ alternative: Alternative, _ name: String, always: Bool = false) {
      let isSeen = { (question: Question) in
        alternative.outcome(of: question) != question.verdict.outcome
      }
      guard always || questions.contains(where: isSeen) else { return }
      planted += 1
      if !kit.experiments.contains(where: { isSeen($0.question) }) { missed.append(name) }
    }
    for rule in Rule.open {
      for effect in Alternative.otherEffects(of: rule) { plant(effect, effect.text, always: true) }
      for condition in conditions {
        plant(
          Alternative(rule, text: condition.name, change: condition.change),
          "\(rule.rawValue): \(condition.name)")
      }
    }
    #expect(planted >= 100)
    #expect(missed.count * 100 <= planted * 5, "\(missed) of \(planted)")
  }

  // MARK: Conditions

  private static let settings = Setting.allCases.flatMap { setting in
    values(of: setting).enumerated().map { number, value in
      Condition(
        name: "value \(number) of \(setting.rawValue)",
        change: Alternative.settings { settings, _ in value(&settings) })
    }
  }

  /// Other values of a setting: each value of a choice, and for numbers one more and one less.
  private static func values(of setting: Setting) -> [SettingDomain.Change] {
    guard let domain = setting.domain else { return [] }
    switch domain {
    case .flag, .choice: return domain.values
    case .count(let path):
      return [-1, 1].map { step in { $0[keyPath: path] = max(0, $0[keyPath: path] + step) } }
    case .scheme(let path): return [{ $0[keyPath: path] = "" }]
    case .schemes(let path): return [{ $0[keyPath: path] = ["tel"] }]
    case .links(let path):
      return [[], [LinkPattern("https://*/*")]].map { links in { $0[keyPath: path] = links } }
    case .services(let services): return services.flatMap { [$0.add, $0.remove] }
    case .period, .version, .models: return []
    }
  }

  private static func transfer(
    _ name: String, _ edit: @escaping @Sendable (inout TransferRequest) -> Void
  ) -> Condition {
    Condition(name: name, change: Alternative.transfer(edit))
  }

  private static let transfers = [
    transfer("unmanaged receiver") { $0.receiver.policy = nil },
    transfer("managed receiver") { $0.receiver.policy = $0.receiver.policy ?? $0.sender.policy },
    transfer("unmanaged sender") {
      $0.sender.policy = nil
      $0.owner.policy = nil
    },
    transfer("data without an owner") { $0.owner = Owner() },
    transfer("data of the receiver") {
      $0.owner = Owner(account: $0.receiver.identity.account, policy: $0.receiver.policy)
    },
    transfer("other path") { $0.via = $0.via == .sdk ? .os : .sdk },
    transfer("other enrollment in MDM") { $0.device.isMDMEnrolled.toggle() },
    transfer("other requirement of file encryption") {
      $0.device.isFileEncryptionRequired.toggle()
    },
    transfer("other key for screen capture") {
      $0.sender.app.isScreenCaptureControlDisabled.toggle()
    },
    transfer("other use of the SDK") { $0.receiver.app.linksSDK.toggle() },
    transfer("other user of MDM") {
      $0.sender.app.hasEnrolledUPN.toggle()
      $0.receiver.app.hasEnrolledUPN.toggle()
    },
    transfer("no schemes") { $0.receiver.app.schemes = [] },
    transfer("known managed scheme") { $0.content.isKnownManagedScheme = true },
    transfer("managed browser") { $0.content.opensInManagedBrowser.toggle() },
    transfer("no web link") { $0.content.link = nil },
    transfer("link that no app claims") {
      if $0.channel == .universalLink { $0.channel = .openURL }
    },
    transfer("other location") { if $0.content.location != nil { $0.content.location = .other } },
    transfer("same tenant") { $0.moveReceiver(to: $0.sender.identity.account?.tenantID) },
    transfer("another tenant") { $0.moveReceiver(to: "another") },
    transfer("same account") { $0.receiver.identity = $0.sender.identity },
    transfer("old SDK") { $0.sender.app.sdkVersion = Version(9, 0) },
    transfer("from an app") {
      if $0.sender.app.bundleID.isEmpty { $0.sender.app.bundleID = "org.example" }
    },
    transfer("to an app") {
      if $0.receiver.app.bundleID.isEmpty { $0.receiver.app.bundleID = "org.example" }
    },
  ]

  private static let others = [
    signIn("no managed account") { $0.managedAccounts = [] },
    signIn("unmanaged account") { $0.isManaged = false },
    signIn("several managed accounts") { $0.allowsSeveralManagedAccounts = true },
    signIn("no user of MDM") { $0.enrolledUser = nil },
    signIn("user of MDM") { $0.enrolledUser = EnrolledUser(upn: $0.account.upn, objectID: nil) },
    file("owner signed in") { $0.isOwnerSignedIn = true },
    file("owner signed out") { $0.isOwnerSignedIn = false },
    file("own file") { $0.identity = $0.owner.account.map { .account($0) } ?? .unset },
    file("new file") { $0.begins = true },
    file("no owner") { $0.owner = Owner() },
    file("unmanaged owner") {
      $0.owner.policy = nil
      $0.wasOwnerManaged = false
    },
    pin("no PIN") { $0.access.current = nil },
    pin("sufficient PIN") {
      $0.access.current = AccessState.CurrentPIN(PIN("258069"), setAt: $0.now)
      $0.offer = AccessOffer(.pin(PIN("258069")))
    },
    pinChange("run of two") { $0.pin = PIN("4362") },
    pinChange("no sign-in") { $0.hasSignedIn = false },
  ]

  private static func signIn(
    _ name: String, _ edit: @escaping @Sendable (inout SignInRequest) -> Void
  ) -> Condition {
    Condition(name: name) { question in
      guard case .signIn(var request) = question else { return question }
      edit(&request)
      return .signIn(request)
    }
  }

  private static func file(
    _ name: String, _ edit: @escaping @Sendable (inout FileRequest) -> Void
  ) -> Condition {
    Condition(name: name) { question in
      guard case .file(var request) = question else { return question }
      edit(&request)
      return .file(request)
    }
  }

  private static func pin(
    _ name: String, _ edit: @escaping @Sendable (inout LaunchRequest) -> Void
  ) -> Condition {
    Condition(name: name) { question in
      guard case .launch(var request) = question else { return question }
      edit(&request)
      return .launch(request)
    }
  }

  private static func pinChange(
    _ name: String, _ edit: @escaping @Sendable (inout PINChange) -> Void
  ) -> Condition {
    Condition(name: name) { question in
      guard case .pinChange(var change) = question else { return question }
      edit(&change)
      return .pinChange(change)
    }
  }
}

extension TransferRequest {
  /// Makes the receiving account one of the tenant.
  fileprivate mutating func moveReceiver(to tenant: String?) {
    guard let account = receiver.identity.account else { return }
    receiver.identity = .account(Account(upn: account.upn, tenantID: tenant))
  }
}
