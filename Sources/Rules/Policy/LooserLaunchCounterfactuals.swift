import Model

/// The values by which a policy that closes an account would let it through.
struct LooserLaunchCounterfactuals {
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

  /// The bound at the present version, or no bound where that is unknown.
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

  /// The shortest period in whole units that is longer than `elapsed`, or none where that is unknown.
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
