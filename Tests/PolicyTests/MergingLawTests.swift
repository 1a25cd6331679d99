import Policy
import TestSupport
import Testing

/// Tests invariants of merging arbitrary policies.
struct MergingLawTests {
  typealias Edit = StrictestValueTests.Edit

  static let edits: [Edit] =
    SettingReadingTests.rows.map(\.edit) + StrictestValueTests.rows.map(\.lax)
    + StrictestValueTests.rows.map(\.strict) + schemes + levels + lists

  private static let schemes: [Edit] = ["", "a", "b"].flatMap { scheme -> [Edit] in
    [
      { $0.customDialerAppProtocol = scheme }, { $0.messagingRedirectAppUrlScheme = scheme },
      { $0.customBrowserProtocol = scheme },
    ]
  }

  private static let levels: [Edit] = [
    { $0.dialerRestrictionLevel = .allApps }, { $0.dialerRestrictionLevel = .customApp },
    { $0.dialerRestrictionLevel = .customApp },
    { $0.protectedMessagingRedirectAppType = .anyApp },
    { $0.protectedMessagingRedirectAppType = .specificApps },
    { $0.protectedMessagingRedirectAppType = .specificApps },
  ]

  private static let lists: [Edit] = [
    { $0.exemptedUniversalLinks = [LinkPattern("http://b"), LinkPattern("http://a")] },
    { $0.exemptedUniversalLinks = [LinkPattern("http://a"), LinkPattern("http://b")] },
    { $0.allowedDataStorageLocations = [.egnyte, .box] },
  ]

  /// Returns a policy with few or many settings.
  static func settings(_ random: inout SeededGenerator) -> Settings {
    var settings = Settings()
    let count = Int.random(in: 0...60, using: &random)
    for _ in 0..<count { edits.randomElement(using: &random)?(&settings) }
    return settings
  }

  static func merge(_ all: Settings...) -> Settings {
    let documents = all.map { PolicyDocument(displayName: "p", file: "p", settings: $0) }
    return EffectivePolicy.merging(documents).settings
  }

  @Test(arguments: 0..<8)
  func `merging policies is commutative, associative and idempotent`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let a = Self.settings(&random)
      let b = Self.settings(&random)
      let c = Self.settings(&random)
      let all = Self.merge(a, b, c)
      #expect(Self.merge(a) == a)
      #expect(Self.merge(a, a) == a)
      #expect(Self.merge(a, b) == Self.merge(b, a))
      #expect(Self.merge(c, a, b) == all)
      #expect(Self.merge(Self.merge(a, b), c) == all)
      #expect(Self.merge(a, Self.merge(b, c)) == all)
      #expect(Self.merge(all, a) == all)
    }
  }

  @Test func `merged policies allow only the dialers that each policy allows`() {
    func dialer(_ level: Settings.DialerLevel, _ scheme: String) -> Settings {
      var settings = Settings()
      settings.dialerRestrictionLevel = level
      settings.customDialerAppProtocol = scheme
      return settings
    }
    let rows: [(Settings, Settings, Settings)] = [
      (dialer(.customApp, "a"), dialer(.customApp, "b"), dialer(.blocked, "")),
      (dialer(.customApp, "a"), dialer(.customApp, "a"), dialer(.customApp, "a")),
      (dialer(.customApp, "a"), dialer(.customApp, ""), dialer(.blocked, "")),
      (dialer(.customApp, "a"), dialer(.allApps, "b"), dialer(.customApp, "a")),
      (dialer(.customApp, "a"), dialer(.managedApps, ""), dialer(.blocked, "")),
      (dialer(.customApp, "no_scheme"), dialer(.managedApps, ""), dialer(.blocked, "")),
      (dialer(.customApp, "no_scheme"), dialer(.allApps, ""), dialer(.blocked, "")),
      (dialer(.managedApps, "a"), dialer(.allApps, ""), dialer(.managedApps, "")),
      (dialer(.customApp, "a"), dialer(.blocked, "a"), dialer(.blocked, "")),
    ]
    for (left, right, merged) in rows {
      #expect(Self.merge(left, right) == merged)
      #expect(Self.merge(right, left) == merged)
    }
  }

  @Test func `policies with different messaging apps merge to a policy that blocks messaging`() {
    var left = Settings()
    left.protectedMessagingRedirectAppType = .specificApps
    left.messagingRedirectAppUrlScheme = "a"
    var right = left
    right.messagingRedirectAppUrlScheme = "b"
    #expect(Self.merge(left, right).protectedMessagingRedirectAppType == .blocked)
    #expect(Self.merge(left, right).messagingRedirectAppUrlScheme == "")
  }

  @Test func `two different unmanaged browsers merge to the managed browser`() {
    var left = Settings()
    left.customBrowserProtocol = "a"
    var right = left
    right.customBrowserProtocol = "b"
    #expect(Self.merge(left, right).managedBrowserToOpenLinksRequired)
    #expect(Self.merge(left, right).customBrowserProtocol == "")
    #expect(Self.merge(left, Settings()).customBrowserProtocol == "a")
  }

  @Test func `a merge ignores the location list of a policy that restricts no locations`() {
    let free = Settings()
    var blocked = Settings()
    blocked.saveAsBlocked = true
    blocked.allowedDataStorageLocations = [.oneDriveForBusiness]
    blocked.blockDataIngestionIntoOrganizationDocuments = true
    blocked.allowedDataIngestionLocations = [.camera]
    #expect(Self.merge(free, blocked) == blocked)
  }

  @Test func `a merge ignores the action of a condition that the policy does not set`() {
    var idle = Settings()
    idle.appActionIfDeviceComplianceRequired = .wipe
    idle.appActionIfMaximumPinRetriesExceeded = .wipe
    idle.appActionIfIosDeviceModelNotAllowed = .wipe
    idle.mobileThreatDefenseRemediationAction = .wipe
    var acting = Settings()
    acting.deviceComplianceRequired = true
    acting.maximumPinRetries = 5
    acting.allowedIosDeviceModels = ["a"]
    acting.maximumAllowedDeviceThreatLevel = .low
    #expect(Self.merge(idle, acting) == acting)
  }
}
