import Model

/// The values by which a policy that lets an account through would close it.
struct StricterLaunchCounterfactuals {
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

  /// The next major version as a bound, which the present version does not meet.
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
          words: "\(minutes) minute\(minutes == 1 ? "" : "s")"
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
