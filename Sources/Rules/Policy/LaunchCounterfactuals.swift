import Model

/// Searches for edits of the policy that would reverse the decision on a launch, and describes them in sentences.
///
/// Each sentence is verified: the request is evaluated again with only the edits in the sentence.
enum LaunchCounterfactuals {
  /// One edit that reverses the decision, or two edits that reverse it only together.
  struct Change {
    var counterfactuals: [LaunchCounterfactual]
    /// What the app does after the change.
    var action: LaunchAction
  }

  /// Returns sentences about the changes that would reverse the decision, in the order in which apps check settings. At
  /// most ``Counterfactuals/maximum``.
  static func sentences(for request: LaunchRequest, verdict: Verdict) -> [String] {
    guard let policy = request.policy else { return [] }
    let changes = changes(for: request, outcome: verdict.outcome)
    return changes.prefix(Counterfactuals.maximum).map { change in
      let phrases = change.counterfactuals.map { $0.phrase(in: policy) }
      return phrases.joined(separator: " and ") + " " + effect(of: change)
    }
  }

  /// Returns each single edit that reverses the decision. If there is none, returns each pair of edits that does.
  static func changes(for request: LaunchRequest, outcome: Outcome) -> [Change] {
    guard let policy = request.policy else { return [] }
    let counterfactuals = LaunchCounterfactual.all(
      for: request, policy.settings, towards: outcome.opposite)
    func verdict(under policy: EffectivePolicy) -> Verdict? {
      var changed = request
      changed.policy = policy
      let verdict = evaluateLaunch(changed)
      return verdict.outcome == outcome ? nil : verdict
    }
    func turned(by counterfactuals: [LaunchCounterfactual]) -> Change? {
      var settings = policy.settings
      for counterfactual in counterfactuals { counterfactual.apply(&settings) }
      var reversed = verdict(
        under: EffectivePolicy(settings: settings, origins: policy.origins))
      if reversed != nil, policy.isMerged {
        // The edits must also suffice after the policies are merged again.
        reversed = verdict(
          under: counterfactuals.reduce(policy) {
            $0.changing($1.setting, at: $1.places(in: policy), $1.apply)
          })
      }
      return reversed.map { Change(counterfactuals: counterfactuals, action: $0.launchAction) }
    }
    let single = counterfactuals.compactMap { turned(by: [$0]) }
    guard single.isEmpty else { return single }
    return counterfactuals.indices.flatMap { first in
      counterfactuals[(first + 1)...].compactMap { turned(by: [counterfactuals[first], $0]) }
    }
  }

  private static func effect(of change: Change) -> String {
    switch change.action {
    case .none: "would allow it"
    case .warn: "would allow it with a warning"
    case .block: "would block it"
    case .wipe: "would wipe the account's data"
    }
  }
}

extension Outcome {
  fileprivate var opposite: Counterfactual.Direction { self == .allowed ? .stricter : .looser }
}

/// A setting of access requirements or conditional launch, with a value that could change the decision.
struct LaunchCounterfactual {
  var setting: Setting
  /// The action, such as `Block access`, if the admin centre has several settings with the same label for different
  /// actions; otherwise nil.
  var action: String?
  /// The text between the setting's name and its value: `=`, `with` or `without`.
  var relation = "="
  /// The value in the admin centre's words, or a description of it.
  var words: String
  var apply: (inout Settings) -> Void

  /// Returns the places in policy files where the value must be set. Empty if the new value changes none of the merged
  /// policies.
  func places(in policy: EffectivePolicy) -> [EffectivePolicy.Place] {
    policy.places(toChange: setting, apply)
  }

  /// Returns the change and its places: "`Min OS version` (Block access) = `16.4` in base.json:12".
  func phrase(in policy: EffectivePolicy) -> String {
    let place = places(in: policy).words() ?? "in the account's policy"
    let name = "`\(setting.label)`" + (action.map { " (\($0))" } ?? "")
    return "\(name) \(relation) \(Counterfactual.quoted(words)) \(place)"
  }

  /// Returns the counterfactuals that could change the decision on `request`, in the order in which apps check
  /// settings.
  static func all(
    for request: LaunchRequest, _ settings: Settings, towards direction: Counterfactual.Direction
  ) -> [LaunchCounterfactual] {
    switch direction {
    case .looser:
      let counterfactuals = LooserLaunchCounterfactuals(request: request, settings: settings)
      return counterfactuals.versions + counterfactuals.device + counterfactuals.account
        + counterfactuals.access
    case .stricter:
      let counterfactuals = StricterLaunchCounterfactuals(request: request, settings: settings)
      return counterfactuals.versions + counterfactuals.device + counterfactuals.account
        + counterfactuals.access
    }
  }
}

// MARK: - Changes that allow access

/// Finds values of settings with which a blocked account would be let through.
private struct LooserLaunchCounterfactuals {
  let request: LaunchRequest
  let settings: Settings

  var versions: [LaunchCounterfactual] {
    let sdk = request.app.sdkVersion
    let app = request.appVersion
    let system = request.device.osVersion
    return [
      accept(sdk, .minimumWipeSdkVersion, "Wipe data") { $0.minimumWipeSdkVersion = $1 },
      accept(sdk, .minimumRequiredSdkVersion, "Block access") {
        $0.minimumRequiredSdkVersion = $1
      },
      accept(app, .minimumWipeAppVersion, "Wipe data") { $0.minimumWipeAppVersion = $1 },
      accept(app, .minimumRequiredAppVersion, "Block access") {
        $0.minimumRequiredAppVersion = $1
      },
      accept(system, .minimumWipeOsVersion, "Wipe data") { $0.minimumWipeOsVersion = $1 },
      accept(system, .minimumRequiredOsVersion, "Block access") {
        $0.minimumRequiredOsVersion = $1
      },
      accept(system, .maximumWipeOsVersion, "Wipe data") { $0.maximumWipeOsVersion = $1 },
      accept(system, .maximumRequiredOsVersion, "Block access") {
        $0.maximumRequiredOsVersion = $1
      },
    ]
  }

  /// Returns the change of a version bound that lets the current version through: the bound becomes the current
  /// version. If the current version is unknown, the bound is removed.
  private func accept(
    _ version: Version?, _ setting: Setting, _ action: String,
    _ apply: @escaping (inout Settings, Version?) -> Void
  ) -> LaunchCounterfactual {
    let words = version.map(String.init(describing:)) ?? "not configured"
    return LaunchCounterfactual(setting: setting, action: action, words: words) {
      apply(&$0, version)
    }
  }

  var device: [LaunchCounterfactual] {
    var counterfactuals = [
      LaunchCounterfactual(setting: .deviceComplianceRequired, words: "not configured") {
        $0.deviceComplianceRequired = false
      }
    ]
    if !request.device.hasPIN {
      counterfactuals.append(
        LaunchCounterfactual(
          setting: .appDataEncryptionType, words: Settings.Encryption.useDeviceSettings.words
        ) { $0.appDataEncryptionType = .useDeviceSettings })
    }
    let model = request.device.model.lowercased()
    if !model.isEmpty, settings.allowedIosDeviceModels?.contains(model) == false {
      counterfactuals.append(
        LaunchCounterfactual(
          setting: .allowedIosDeviceModels, relation: "with", words: request.device.model
        ) { $0.allowedIosDeviceModels?.insert(model) })
    }
    let accepting = Settings.ThreatLevel.allCases.reversed().first { level in
      request.device.threatLevel.map(level.accepts) ?? (level == .notConfigured)
    }
    if let accepting {
      counterfactuals.append(
        LaunchCounterfactual(setting: .maximumAllowedDeviceThreatLevel, words: accepting.words) {
          $0.maximumAllowedDeviceThreatLevel = accepting
        })
    }
    return counterfactuals
  }

  var account: [LaunchCounterfactual] {
    var counterfactuals = [
      LaunchCounterfactual(setting: .appActionIfUnableToAuthenticateUser, words: "not configured") {
        $0.appActionIfUnableToAuthenticateUser = nil
      },
      LaunchCounterfactual(setting: .appActionIfAccountIsClockedOut, words: "Warn") {
        $0.appActionIfAccountIsClockedOut = .warn
      },
    ]
    let elapsed = request.elapsed(since: request.account.lastCheckIn)
    if settings.periodOfflineBeforeWipeIsEnforced > 0 {
      counterfactuals.append(
        period(.periodOfflineBeforeWipeIsEnforced, "Wipe data", beyond: elapsed, of: .day) {
          $0.periodOfflineBeforeWipeIsEnforced = $1
        })
    }
    if settings.periodOfflineBeforeAccessCheck > 0 {
      counterfactuals.append(
        period(.periodOfflineBeforeAccessCheck, "Block access", beyond: elapsed, of: .minute) {
          $0.periodOfflineBeforeAccessCheck = $1
        })
    }
    return counterfactuals
  }

  var access: [LaunchCounterfactual] {
    var counterfactuals = [
      LaunchCounterfactual(setting: .pinRequired, words: "Not required") { $0.pinRequired = false },
      LaunchCounterfactual(setting: .disableAppPinIfDevicePinIsSet, words: "Disable") {
        $0.disableAppPinIfDevicePinIsSet = true
      },
      LaunchCounterfactual(setting: .periodBeforePinReset, words: "No") {
        $0.periodBeforePinReset = 0
      },
      LaunchCounterfactual(setting: .pinCharacterSet, words: "Numeric") {
        $0.pinCharacterSet = .numeric
      },
      LaunchCounterfactual(setting: .simplePinBlocked, words: "Allow") {
        $0.simplePinBlocked = false
      },
      LaunchCounterfactual(setting: .fingerprintBlocked, words: "Allow") {
        $0.fingerprintBlocked = false
      },
      LaunchCounterfactual(setting: .faceIdBlocked, words: "Allow") { $0.faceIdBlocked = false },
      LaunchCounterfactual(setting: .pinRequiredInsteadOfBiometricTimeout, words: "not required") {
        $0.pinRequiredInsteadOfBiometricTimeout = 0
      },
      LaunchCounterfactual(setting: .organizationalCredentialsRequired, words: "Not required") {
        $0.organizationalCredentialsRequired = false
      },
    ]
    if let length = request.access.current?.pin.text.count {
      counterfactuals.append(
        LaunchCounterfactual(setting: .minimumPinLength, words: "the PIN's length or less") {
          $0.minimumPinLength = min($0.minimumPinLength, length)
        })
    }
    let (attempts, overflows) = request.access.failedAttempts.addingReportingOverflow(1)
    if settings.maximumPinRetries > 0, !overflows {
      counterfactuals.append(
        LaunchCounterfactual(setting: .maximumPinRetries, words: "\(attempts)") {
          $0.maximumPinRetries = attempts
        })
    }
    let last = [request.access.lastUnlock, request.access.lastSignIn].compactMap { $0 }.max()
    if let elapsed = request.elapsed(since: last) {
      counterfactuals.append(
        period(.periodOnlineBeforeAccessCheck, nil, beyond: elapsed, of: .minute) {
          $0.periodOnlineBeforeAccessCheck = $1
        })
    }
    return counterfactuals
  }

  private enum Unit: Int {
    case minute = 60
    case day = 86400
  }

  /// Returns the change of a period that lets the account through: the shortest period in whole units that is longer
  /// than `elapsed`. If `elapsed` is unknown or the period would overflow, the change removes the limit.
  private func period(
    _ setting: Setting, _ action: String?, beyond elapsed: Int?, of unit: Unit,
    _ apply: @escaping (inout Settings, Int) -> Void
  ) -> LaunchCounterfactual {
    let count = elapsed.map { $0 / unit.rawValue + 1 }
    let (seconds, overflows) = (count ?? 0).multipliedReportingOverflow(by: unit.rawValue)
    guard let count, !overflows else {
      return LaunchCounterfactual(setting: setting, action: action, words: "not configured") {
        apply(&$0, 0)
      }
    }
    let words = "\(count) \(unit)\(count == 1 ? "" : "s")"
    return LaunchCounterfactual(setting: setting, action: action, words: words) {
      apply(&$0, seconds)
    }
  }
}

// MARK: - Changes that block access

/// Finds values of settings that would block an account that is let through now.
private struct StricterLaunchCounterfactuals {
  let request: LaunchRequest
  let settings: Settings

  var versions: [LaunchCounterfactual] {
    let system = request.device.osVersion
    return [
      demand(after: request.app.sdkVersion, .minimumRequiredSdkVersion) {
        $0.minimumRequiredSdkVersion = $1
      },
      demand(after: request.appVersion ?? Version(), .minimumRequiredAppVersion) {
        $0.minimumRequiredAppVersion = $1
      },
      demand(after: system, .minimumRequiredOsVersion) { $0.minimumRequiredOsVersion = $1 },
      Version(system.major) < system
        ? LaunchCounterfactual(
          setting: .maximumRequiredOsVersion, action: "Block access",
          words: Version(system.major).description
        ) { $0.maximumRequiredOsVersion = Version(system.major) } : nil,
    ].compactMap { $0 }
  }

  /// Returns the change of a version bound that blocks the current version: the bound becomes the next major version.
  /// Nil if the version is unknown or the next version would overflow.
  private func demand(
    after version: Version?, _ setting: Setting,
    _ apply: @escaping (inout Settings, Version) -> Void
  ) -> LaunchCounterfactual? {
    guard let version, version.major < .max else { return nil }
    let next = Version(version.major + 1)
    return LaunchCounterfactual(setting: setting, action: "Block access", words: next.description) {
      apply(&$0, next)
    }
  }

  var device: [LaunchCounterfactual] {
    let jailbreak: Setting =
      settings.deviceComplianceRequired
      ? .appActionIfDeviceComplianceRequired : .deviceComplianceRequired
    var counterfactuals = [
      LaunchCounterfactual(setting: jailbreak, words: "Block access") {
        $0.deviceComplianceRequired = true
        $0.appActionIfDeviceComplianceRequired = .block
      }
    ]
    if !request.device.hasPIN {
      counterfactuals.append(
        LaunchCounterfactual(
          setting: .appDataEncryptionType, words: Settings.Encryption.whenDeviceLocked.words
        ) { $0.appDataEncryptionType = .whenDeviceLocked })
    }
    let model = request.device.model.lowercased()
    if let models = settings.allowedIosDeviceModels, models.contains(model) {
      counterfactuals.append(
        LaunchCounterfactual(
          setting: .allowedIosDeviceModels, relation: "without", words: request.device.model
        ) { $0.allowedIosDeviceModels?.remove(model) })
    }
    let refusing = Settings.ThreatLevel.allCases.first { level in
      request.device.threatLevel.map { !level.accepts($0) } ?? (level != .notConfigured)
    }
    if let refusing {
      counterfactuals.append(
        LaunchCounterfactual(setting: .maximumAllowedDeviceThreatLevel, words: refusing.words) {
          $0.maximumAllowedDeviceThreatLevel = refusing
        })
    }
    return counterfactuals
  }

  var account: [LaunchCounterfactual] {
    var counterfactuals = [
      LaunchCounterfactual(setting: .appActionIfUnableToAuthenticateUser, words: "Block access") {
        $0.appActionIfUnableToAuthenticateUser = .block
      },
      LaunchCounterfactual(setting: .appActionIfAccountIsClockedOut, words: "Block access") {
        $0.appActionIfAccountIsClockedOut = .block
      },
    ]
    let minutes = (request.elapsed(since: request.account.lastCheckIn) ?? 0) / 60
    if minutes > 0 {
      counterfactuals.append(
        LaunchCounterfactual(
          setting: .periodOfflineBeforeAccessCheck, action: "Block access",
          words: PeriodText.words(ofSeconds: minutes * 60)
        ) { $0.periodOfflineBeforeAccessCheck = minutes * 60 })
    }
    return counterfactuals
  }

  var access: [LaunchCounterfactual] {
    [
      LaunchCounterfactual(setting: .pinRequired, words: "Require") { $0.pinRequired = true },
      LaunchCounterfactual(setting: .disableAppPinIfDevicePinIsSet, words: "Enable") {
        $0.disableAppPinIfDevicePinIsSet = false
      },
      LaunchCounterfactual(setting: .fingerprintBlocked, words: "Block") {
        $0.fingerprintBlocked = true
      },
      LaunchCounterfactual(setting: .faceIdBlocked, words: "Block") { $0.faceIdBlocked = true },
      LaunchCounterfactual(setting: .pinCharacterSet, words: "Passcode") {
        $0.pinCharacterSet = .alphanumericAndSymbol
      },
      LaunchCounterfactual(setting: .simplePinBlocked, words: "Block") {
        $0.simplePinBlocked = true
      },
      LaunchCounterfactual(setting: .organizationalCredentialsRequired, words: "Require") {
        $0.organizationalCredentialsRequired = true
      },
      LaunchCounterfactual(setting: .periodOnlineBeforeAccessCheck, words: "0 minutes") {
        $0.periodOnlineBeforeAccessCheck = 0
      },
    ]
  }
}
