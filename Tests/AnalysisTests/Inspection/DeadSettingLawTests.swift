import Analysis
import GraphDocuments
import JSON
import Model
import Output
import Policy
import Testing
import TestSupport

/// What lint calls without effect, the rules do not look at.
@Suite struct DeadSettingLawTests {
  /// The dead settings that rules on transfers could read. The exception length is not among them: with
  /// `allApps` it excepts from nothing of its own, but waives what the receiver's policy restricts.
  private static let resets: [(Setting, @Sendable (inout Settings) -> Void)] = [
    (.saveAsBlocked, { $0.saveAsBlocked = false }),
    (.allowedDataStorageLocations, { $0.allowedDataStorageLocations = [] }),
    (
      .blockDataIngestionIntoOrganizationDocuments,
      { $0.blockDataIngestionIntoOrganizationDocuments = false }
    ),
    (.allowedDataIngestionLocations, { $0.allowedDataIngestionLocations = [] }),
    (.exemptedAppProtocols, { $0.exemptedAppProtocols = [] }),
    (.customBrowserProtocol, { $0.customBrowserProtocol = "" }),
    (.exemptedUniversalLinks, { $0.exemptedUniversalLinks = [] }),
    (.managedUniversalLinks, { $0.managedUniversalLinks = [] }),
    (.customDialerAppProtocol, { $0.customDialerAppProtocol = "" }),
    (.messagingRedirectAppUrlScheme, { $0.messagingRedirectAppUrlScheme = "" }),
  ]

  @Test func resettingADeadSettingChangesNoOutcome() {
    var random = SeededGenerator(seed: 7)
    var count = 0
    for _ in 0..<1000 {
      let settings = Settings.random(using: &random)
      let other = EffectivePolicy(settings: .random(using: &random))
      let dead = Self.deadSettings(in: settings)
      for (setting, reset) in Self.resets where dead.contains(setting) {
        count += 1
        var plain = settings
        reset(&plain)
        let request = Self.request(other: other, using: &random)
        #expect(
          evaluate(request(settings)).outcome == evaluate(request(plain)).outcome,
          "\(setting) in \(request(settings))")
      }
    }
    #expect(count > 1000)
  }

  private static func deadSettings(in settings: Settings) -> Set<Setting> {
    var document = PolicyDocument(
      displayName: "A", file: "p.json", settings: settings,
      targeting: Targeting(appGroup: .allApps))
    for (setting, _) in resets {
      document.origins[setting] = .init(file: "p.json", line: 1, policy: "A")
    }
    let messages = Linter.lint(document, stated: JSONValue(.null, at: document.position))
      .filter { $0.code == "noEffect" }.map(\.message)
    return Set(
      resets.compactMap { setting, _ in
        messages.contains { $0.hasPrefix("`\(setting.rawValue)` ") } ? setting : nil
      })
  }

  /// A random request in which the policy stands on a random side.
  private static func request(
    other: EffectivePolicy, using random: inout SeededGenerator
  ) -> (Settings) -> TransferRequest {
    let anna = Account(upn: "anna@contoso.com", objectID: "A-1", tenantID: "contoso")
    let bob = Account(upn: "bob@contoso.com", objectID: "B-2", tenantID: "contoso")
    let channel: Channel = random.choice()
    let (isSender, isOtherManaged) = (random.flag(), random.flag())
    let app = random.element(of: ["com.contoso.mail", "com.contoso.notes"])
    let scheme = random.element(of: ["skype", "https", "tel", "sms", "x", "mailto"])
    let link = random.element(of: ["https://us.zoom.us/j", "http://a.b/c", "https://else.where"])
    let locations =
      channel == .openFrom ? StorageLocation.openLocations : StorageLocation.saveLocations
    let content = Content(
      characters: random.number(to: 100), scheme: channel == .openURL ? scheme : "https",
      isKnownManagedScheme: random.flag(), opensInManagedBrowser: random.flag(),
      link: WebLink(link), location: random.element(of: Array(locations)))
    let device = DeviceRestrictions(
      isMDMEnrolled: random.flag(), allowOpenFromManagedToUnmanaged: random.flag())
    let (via, isOwner): (SharingPath, Bool) = (random.flag() ? .sdk : .os, random.flag())
    return { settings in
      let policy = EffectivePolicy(settings: settings)
      let own = Party(
        app: AppState(bundleID: "com.contoso.mail"), identity: .account(anna), policy: policy)
      let counterpart = Party(
        app: AppState(bundleID: app), identity: .account(bob),
        policy: isOtherManaged ? other : nil)
      let sender = isSender ? own : counterpart
      let owner =
        isOwner ? Owner(account: anna, policy: policy) : Owner(account: bob, policy: other)
      return TransferRequest(
        channel: channel, via: via, sender: sender, owner: owner,
        receiver: isSender ? counterpart : own, appPolicy: policy, content: content, device: device)
    }
  }
}
