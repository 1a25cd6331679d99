import Transfer

/// The values by which a policy that lets an account through would close it.
struct StricterLaunchLevers {
  let request: LaunchRequest
  let settings: Settings

  var versions: [LaunchLever] {
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
        ? LaunchLever(
          setting: .maximumRequiredOsVersion, action: "Block access",
          words: Version(system.major).description
        ) { $0.maximumRequiredOsVersion = Version(system.major) } : nil,
    ].compactMap { $0 }
  }

  /// The next major version, which is not there.
  private func demand(
    after version: Version?, _ setting: Setting,
    _ apply: @escaping (inout Settings, Version) -> Void
  ) -> LaunchLever? {
    guard let version, version.major < .max else { return nil }
    let next = Version(version.major + 1)
    return LaunchLever(setting: setting, action: "Block access", words: next.description) {
      apply(&$0, next)
    }
  }

  var device: [LaunchLever] {
    let jailbreak: Setting =
      settings.deviceComplianceRequired
      ? .appActionIfDeviceComplianceRequired : .deviceComplianceRequired
    var levers = [
      LaunchLever(setting: jailbreak, words: "Block access") {
        $0.deviceComplianceRequired = true
        $0.appActionIfDeviceComplianceRequired = .block
      }
    ]
    let model = request.device.model.lowercased()
    if let models = settings.allowedIosDeviceModels, models.contains(model) {
      levers.append(
        LaunchLever(
          setting: .allowedIosDeviceModels, relation: "without", words: request.device.model
        ) { $0.allowedIosDeviceModels?.remove(model) })
    }
    let refusing = Settings.ThreatLevel.allCases.first { level in
      request.device.threatLevel.map { !level.accepts($0) } ?? (level != .notConfigured)
    }
    if let refusing {
      levers.append(
        LaunchLever(setting: .maximumAllowedDeviceThreatLevel, words: refusing.words) {
          $0.maximumAllowedDeviceThreatLevel = refusing
        })
    }
    return levers
  }

  var account: [LaunchLever] {
    var levers = [
      LaunchLever(setting: .appActionIfUnableToAuthenticateUser, words: "Block access") {
        $0.appActionIfUnableToAuthenticateUser = .block
      },
      LaunchLever(setting: .appActionIfAccountIsClockedOut, words: "Block access") {
        $0.appActionIfAccountIsClockedOut = .block
      },
    ]
    let minutes = (request.elapsed(since: request.account.lastCheckIn) ?? 0) / 60
    if minutes > 0 {
      levers.append(
        LaunchLever(
          setting: .periodOfflineBeforeAccessCheck, action: "Block access",
          words: "\(minutes) minute\(minutes == 1 ? "" : "s")"
        ) { $0.periodOfflineBeforeAccessCheck = minutes * 60 })
    }
    return levers
  }

  var access: [LaunchLever] {
    [
      LaunchLever(setting: .pinRequired, words: "Require") { $0.pinRequired = true },
      LaunchLever(setting: .disableAppPinIfDevicePinIsSet, words: "Enable") {
        $0.disableAppPinIfDevicePinIsSet = false
      },
      LaunchLever(setting: .fingerprintBlocked, words: "Block") { $0.fingerprintBlocked = true },
      LaunchLever(setting: .faceIdBlocked, words: "Block") { $0.faceIdBlocked = true },
      LaunchLever(setting: .pinCharacterSet, words: "Passcode") {
        $0.pinCharacterSet = .alphanumericAndSymbol
      },
      LaunchLever(setting: .simplePinBlocked, words: "Block") { $0.simplePinBlocked = true },
      LaunchLever(setting: .organizationalCredentialsRequired, words: "Require") {
        $0.organizationalCredentialsRequired = true
      },
      LaunchLever(setting: .periodOnlineBeforeAccessCheck, words: "0 minutes") {
        $0.periodOnlineBeforeAccessCheck = 0
      },
    ]
  }
}
