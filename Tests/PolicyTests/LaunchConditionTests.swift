import Model
@testable import Policy
import Testing

/// Tests "Conditional launch": versions, device, account and the time offline.
struct LaunchConditionTests {
  typealias Edit = @Sendable (inout Settings) -> Void

  static func rules(
    _ edit: (inout Settings) -> Void, _ change: (inout LaunchRequest) -> Void = { _ in }
  ) -> [Rule] {
    evaluateLaunch(LaunchFixtures.with(LaunchFixtures.request(edit), change)).rules
  }

  @Test func `launch conditions do not apply to an unmanaged account`() {
    let request = LaunchFixtures.with(LaunchFixtures.request()) {
      $0.policy = nil
      $0.device.isJailbroken = true
    }
    #expect(evaluateLaunch(request).words == ["noRuleApplied(device)"])
  }

  @Test func `a policy without launch conditions allows a managed account's launch`() {
    let verdict = evaluateLaunch(LaunchFixtures.request())
    #expect(verdict.words == ["noAccessRequirement(app)"])
    #expect(verdict.launchAction == .none)
  }

  // MARK: Versions

  static let minimums: [(Edit, Edit, Edit, String)] = [
    (
      { $0.minimumWarningOsVersion = Version(17, 3) },
      { $0.minimumRequiredOsVersion = Version(17, 3) },
      { $0.minimumWipeOsVersion = Version(17, 3) }, "minimumOSVersion"
    ),
    (
      { $0.maximumWarningOsVersion = Version(17, 1) },
      { $0.maximumRequiredOsVersion = Version(17, 1) },
      { $0.maximumWipeOsVersion = Version(17, 1) }, "maximumOSVersion"
    ),
    (
      { $0.minimumWarningAppVersion = Version(4, 1, 1) },
      { $0.minimumRequiredAppVersion = Version(4, 1, 1) },
      { $0.minimumWipeAppVersion = Version(4, 1, 1) }, "minimumAppVersion"
    ),
    (
      { $0.minimumWarningSdkVersion = Version(21) },
      { $0.minimumRequiredSdkVersion = Version(21) },
      { $0.minimumWipeSdkVersion = Version(21) }, "minimumSDKVersion"
    ),
  ]

  @Test(arguments: minimums)
  func `if a version violates several bounds, the strictest of warn, block and wipe applies`(
    warn: Edit, block: Edit, wipe: Edit, name: String
  ) {
    #expect(Self.rules(warn).map(\.rawValue) == ["\(name)Warns"])
    #expect(Self.rules(block).map(\.rawValue) == ["\(name)Blocks"])
    #expect(Self.rules(wipe).map(\.rawValue) == ["\(name)Wipes"])
    let warnAndBlock = Self.rules {
      warn(&$0)
      block(&$0)
    }
    #expect(warnAndBlock.map(\.rawValue) == ["\(name)Blocks"])
    let all = Self.rules {
      warn(&$0)
      block(&$0)
      wipe(&$0)
    }
    #expect(all.map(\.rawValue) == ["\(name)Wipes"])
  }

  @Test func `version bounds of conditional launch are inclusive`() {
    let rules = Self.rules {
      $0.minimumWipeOsVersion = Version(15)
      $0.minimumRequiredOsVersion = Version(17, 2, 0)
      $0.maximumRequiredOsVersion = Version(17, 2)
      $0.minimumRequiredAppVersion = Version(4, 1)
      $0.minimumWipeSdkVersion = Version(20, 3)
    }
    #expect(
      rules == [
        .minimumSDKVersionMet, .minimumAppVersionMet, .minimumOSVersionMet, .maximumOSVersionMet,
      ])
  }

  @Test func `an unknown app version fails any minimum version, but an unknown SDK version passes`()
  {
    let rules = Self.rules {
      $0.minimumRequiredAppVersion = Version(0, 1)
      $0.minimumRequiredSdkVersion = Version(99)
    } _: {
      $0.appVersion = nil
      $0.app.sdkVersion = nil
    }
    #expect(rules == [.minimumAppVersionBlocks, .minimumSDKVersionMet])
  }

  // MARK: Device and account

  static let remediations: [(Settings.Remediation, LaunchAction, String)] = [
    (.warn, .warn, "Warns"), (.block, .block, "Blocks"), (.wipe, .wipe, "Wipes"),
  ]

  @Test(arguments: remediations)
  func `an unmet launch condition has the action that the policy states`(
    remediation: Settings.Remediation, action: LaunchAction, suffix: String
  ) {
    let cases: [(String, Edit, (inout LaunchRequest) -> Void)] = [
      (
        "jailbroken",
        {
          $0.deviceComplianceRequired = true
          $0.appActionIfDeviceComplianceRequired = remediation
        }, { $0.device.isJailbroken = true }
      ),
      (
        "deviceModel",
        {
          $0.allowedIosDeviceModels = ["iphone14,5"]
          $0.appActionIfIosDeviceModelNotAllowed = remediation
        }, { $0.device.model = "iPhone12,1" }
      ),
      (
        "threatLevel",
        {
          $0.maximumAllowedDeviceThreatLevel = .low
          $0.mobileThreatDefenseRemediationAction = remediation
        }, { $0.device.threatLevel = .medium }
      ),
      (
        "threatLevelUnknown",
        {
          $0.maximumAllowedDeviceThreatLevel = .high
          $0.mobileThreatDefenseRemediationAction = remediation
        }, { $0.device.threatLevel = nil }
      ),
      (
        "accountDisabled", { $0.appActionIfUnableToAuthenticateUser = remediation },
        { $0.account.isDisabled = true }
      ),
      (
        "clockedOut", { $0.appActionIfAccountIsClockedOut = remediation },
        { $0.account.isClockedOut = true }
      ),
    ]
    for (name, edit, change) in cases {
      let verdict = evaluateLaunch(LaunchFixtures.with(LaunchFixtures.request(edit), change))
      #expect(verdict.rules.map(\.rawValue) == [name + suffix])
      #expect(verdict.launchAction == action)
      #expect((verdict.outcome == .allowed) == (action == .warn))
    }
  }

  @Test(
    arguments: [
      (1799, nil, Rule.jailbreakCheckNotDue), (1800, nil, .jailbrokenWipes),
      (nil, 1799, .jailbreakCheckNotDue), (nil, 1800, .jailbrokenWipes),
      (1800, 1799, .jailbreakCheckNotDue), (nil, nil, .jailbrokenWipes),
      (-1, nil, .jailbrokenWipes),
    ] as [(Int?, Int?, Rule)])
  func `the jailbreak check is skipped within the recheck interval after unlock or sign-in`(
    unlock: Int?, signIn: Int?, rule: Rule
  ) {
    func verdict(isJailbroken: Bool) -> Verdict {
      evaluateLaunch(
        LaunchFixtures.with(
          LaunchFixtures.request {
            $0.deviceComplianceRequired = true
            $0.appActionIfDeviceComplianceRequired = .wipe
            $0.periodOnlineBeforeAccessCheck = 1800
          }
        ) {
          $0.device.isJailbroken = isJailbroken
          $0.access.lastUnlock = unlock.map { LaunchFixtures.now - $0 }
          $0.access.lastSignIn = signIn.map { LaunchFixtures.now - $0 }
        })
    }
    let setting: Setting =
      rule == .jailbreakCheckNotDue ? .periodOnlineBeforeAccessCheck : .deviceComplianceRequired
    #expect(verdict(isJailbroken: true).reasons == [Reason(rule, .app, setting)])
    #expect(
      verdict(isJailbroken: false).reasons == [
        Reason(.notJailbroken, .app, .deviceComplianceRequired)
      ])
  }

  @Test(arguments: Settings.Encryption.allCases, [true, false])
  func `encryption of org data requires a device PIN`(
    encryption: Settings.Encryption, hasPIN: Bool
  ) {
    let request = LaunchFixtures.with(
      LaunchFixtures.request { $0.appDataEncryptionType = encryption }
    ) { $0.device.hasPIN = hasPIN }
    let verdict = evaluateLaunch(request)
    let isBlocked = encryption != .useDeviceSettings && !hasPIN
    #expect(
      verdict.reasons == [
        isBlocked
          ? Reason(.devicePINMissing, .app, .appDataEncryptionType)
          : Reason(.noAccessRequirement, .app)
      ])
    #expect(verdict.launchAction == (isBlocked ? .block : .none))
    // The device's PIN is set in the system, not in the app's prompt.
    #expect(verdict.launchPrompts.isEmpty)
  }

  @Test func `launch conditions that the policy does not set are ignored`() {
    let rules = Self.rules { _ in
    } _: {
      $0.device.isJailbroken = true
      $0.device.threatLevel = .high
      $0.account = AccountConditions(isDisabled: true, isClockedOut: true, lastCheckIn: 0)
      $0.device.isOnline = false
    }
    #expect(rules == [.noAccessRequirement])
  }

  @Test func `the verdict on a launch cites the conditions that the device meets`() {
    let rules = Self.rules {
      $0.deviceComplianceRequired = true
      $0.allowedIosDeviceModels = ["iphone14,5", "ipad11,1"]
      $0.maximumAllowedDeviceThreatLevel = .secured
      $0.appActionIfUnableToAuthenticateUser = .wipe
      $0.appActionIfAccountIsClockedOut = .block
      $0.periodOfflineBeforeAccessCheck = 60
    } _: {
      $0.device.model = "IPHONE14,5"
      $0.device.threatLevel = .secured
    }
    #expect(
      rules == [
        .notJailbroken, .deviceModelAllowed, .threatLevelAccepted, .accountEnabled, .notClockedOut,
        .offlineGraceHolds,
      ])
  }

  static let accepted: [(Settings.ThreatLevel, [DevicePosture.ThreatLevel])] = [
    (.secured, [.secured]), (.low, [.secured, .low]), (.medium, [.secured, .low, .medium]),
    (.high, [.secured, .low, .medium, .high]),
  ]

  @Test(arguments: accepted)
  func `threat levels up to the policy's maximum are accepted`(
    maximum: Settings.ThreatLevel, accepted: [DevicePosture.ThreatLevel]
  ) {
    for level in DevicePosture.ThreatLevel.allCases {
      let rules = Self.rules {
        $0.maximumAllowedDeviceThreatLevel = maximum
      } _: {
        $0.device.threatLevel = level
      }
      #expect(rules == [accepted.contains(level) ? .threatLevelAccepted : .threatLevelBlocks])
    }
  }

  // MARK: Offline

  @Test(
    arguments: [
      (0, Rule.offlineGraceHolds), (720 * 60 - 1, .offlineGraceHolds),
      (720 * 60, .offlineGraceBlocks), (720 * 60 + 1, .offlineGraceBlocks),
      (90 * 86400 - 1, .offlineGraceBlocks), (90 * 86400, .offlineGraceWipes),
      (90 * 86400 + 1, .offlineGraceWipes), (-1, .offlineGraceBlocks), (nil, .offlineGraceBlocks),
    ] as [(Int?, Rule)], [true, false])
  func `the offline grace period counts from the last check-in, even while the device is online`(
    row: (elapsed: Int?, rule: Rule), isOnline: Bool
  ) {
    let rules = Self.rules {
      $0.periodOfflineBeforeAccessCheck = 720 * 60
      $0.periodOfflineBeforeWipeIsEnforced = 90 * 86400
    } _: {
      $0.device.isOnline = isOnline
      $0.account.lastCheckIn = row.elapsed.map { LaunchFixtures.now - $0 }
    }
    #expect(rules == [row.rule])
  }

  @Test(
    arguments: [
      (60, 0, Setting.periodOfflineBeforeAccessCheck),
      (60, 120, .periodOfflineBeforeAccessCheck), (1, 0, .periodOfflineBeforeAccessCheck),
      (0, 120, .periodOfflineBeforeWipeIsEnforced),
    ])
  func `within the offline grace period, the verdict cites the setting that acts first`(
    blocksAfter: Int, wipesAfter: Int, setting: Setting
  ) {
    let request = LaunchFixtures.request {
      $0.periodOfflineBeforeAccessCheck = blocksAfter
      $0.periodOfflineBeforeWipeIsEnforced = wipesAfter
    }
    let verdict = evaluateLaunch(
      LaunchFixtures.with(request) { $0.account.lastCheckIn = LaunchFixtures.now })
    #expect(verdict.reasons == [Reason(.offlineGraceHolds, .app, setting)])
  }

  @Test(arguments: [(true, Rule.offlineGraceBlocks), (false, .offlineGraceWipes)])
  func `while a check-in is pending, an overdue wipe is delayed and the launch is blocked`(
    awaitsCheckIn: Bool, rule: Rule
  ) {
    let rules = Self.rules {
      $0.periodOfflineBeforeWipeIsEnforced = 86400
    } _: {
      $0.account = AccountConditions(
        lastCheckIn: LaunchFixtures.now - 86400, awaitsCheckIn: awaitsCheckIn)
    }
    #expect(rules == [rule])
  }

  @Test func `if the clock was set back, an offline period blocks access instead of wiping`() {
    let rules = Self.rules {
      $0.periodOfflineBeforeWipeIsEnforced = 1
    } _: {
      $0.account.lastCheckIn = LaunchFixtures.now + 1
    }
    #expect(rules == [.offlineGraceBlocks])
  }

  // MARK: Order

  @Test func `launch reasons are ordered from wipe to block to warning`() {
    let verdict = evaluateLaunch(
      LaunchFixtures.with(
        LaunchFixtures.request {
          $0.minimumWarningSdkVersion = Version(99)
          $0.minimumRequiredAppVersion = Version(99)
          $0.minimumRequiredOsVersion = Version(16)
          $0.deviceComplianceRequired = true
          $0.appActionIfDeviceComplianceRequired = .wipe
          $0.pinRequired = true
        }
      ) { $0.device.isJailbroken = true })
    #expect(
      verdict.rules == [
        .jailbrokenWipes, .minimumAppVersionBlocks, .minimumSDKVersionWarns, .minimumOSVersionMet,
      ])
    #expect(verdict.deciding.rule == .jailbrokenWipes)
    #expect(verdict.launchAction == .wipe)
    #expect(verdict.launchPrompts.isEmpty)
  }

  @Test(arguments: Rule.allCases)
  func `launch rules that warn allow the launch, and rules that block or wipe do not`(rule: Rule) {
    switch rule.launchAction {
    case .none, .warn: #expect(rule.effect == .allowed)
    case .block: #expect(rule.effect != .allowed)
    case .wipe: #expect(rule.effect == .blocked)
    }
    let name = rule.rawValue
    #expect((rule.launchAction == .warn) == name.hasSuffix("Warns"))
    #expect((rule.launchAction == .wipe) == name.hasSuffix("Wipes"))
    if rule.launchPrompt != nil { #expect(rule.launchAction == .block) }
  }

  @Test func `every launch reason cites a setting of the policy`() {
    var source = LaunchRequestSource(seed: 9)
    for _ in 0..<5_000 {
      for reason in evaluateLaunch(source.request()).reasons
      where reason.rule != .noRuleApplied && reason.rule != .noAccessRequirement {
        if reason.setting?.holder != .policy { Issue.record("\(reason)") }
      }
    }
  }
}
