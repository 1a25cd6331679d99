internal import Encodings
internal import GraphDocuments
package import Model

/// A key of an app's configuration that the Intune App SDK itself reads.
///
/// If the SDK does not know the value of a key, the value has no effect, and the device reports nothing.
///
/// Sources: Microsoft Learn, "Add app configuration policies for managed iOS/iPadOS devices", "Allow only configured
/// organization accounts", and "How to manage data transfer between iOS apps in Microsoft Intune"; release notes of SDK
/// 12.6.1.
package enum SDKKey: String, Sendable, CaseIterable {
  case enrolledUPN = "IntuneMAMUPN"
  case enrolledObjectID = "IntuneMAMOID"
  case allowedAccountsOnly = "IntuneMAMAllowedAccountsOnly"
  case requireAccounts = "IntuneMAMRequireAccounts"
  case screenCaptureControl = "com.microsoft.intune.mam.screencapturecontrol"
  case saveCopies = "com.microsoft.intune.intunemamonly.alwaysApplySaveCopiesOfOrgDataPolicy"

  /// Whether the key has an effect in a configuration for managed apps. In a configuration for managed devices, every
  /// key has an effect.
  var isForManagedApps: Bool {
    switch self {
    case .enrolledUPN, .enrolledObjectID, .allowedAccountsOnly, .requireAccounts: false
    case .screenCaptureControl, .saveCopies: true
    }
  }

  /// The valid values, which may have any casing; nil if every text is valid.
  private var words: [String]? {
    switch self {
    case .enrolledUPN, .enrolledObjectID: nil
    case .allowedAccountsOnly, .requireAccounts, .screenCaptureControl: ["Enabled", "Disabled"]
    case .saveCopies: ["true", "false"]
    }
  }

  private var consequence: String {
    switch self {
    case .enrolledUPN, .enrolledObjectID: "it names no account that can sign in"
    case .allowedAccountsOnly: "any account may sign in"
    case .requireAccounts: "no sign-in is required"
    case .screenCaptureControl: "the policy alone decides about screen capture"
    case .saveCopies: "the policy alone decides about saving copies"
    }
  }

  /// Returns a sentence that explains why `value` has no effect; nil if it has one. The sentence does not contain the
  /// value.
  package func mistake(in value: ConfigurationValue) -> String? {
    mistakeInKind(of: value).map { "the value of `\(rawValue)` \($0), so \(consequence)" }
  }

  private func mistakeInKind(of value: ConfigurationValue) -> String? {
    guard case .text(let text) = value else {
      return words.map { "is \(value.noun), not \(Self.list($0))" }
        ?? "is \(value.noun), not a string"
    }
    let trimmed = text.trimmed
    guard let words else { return trimmed == text ? nil : "is surrounded by white space" }
    guard !words.contains(where: { $0.lowercased() == text.lowercased() }) else { return nil }
    let near = words.first { $0.lowercased() == trimmed.lowercased() }
    return near.map { "is surrounded by white space, and is not `\($0)`" }
      ?? "is not \(Self.list(words))"
  }

  private static func list(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: " or ")
  }

  /// Creates the key whose name differs from `text` only in casing; nil if there is none.
  package init?(miswritten text: String) {
    guard SDKKey(rawValue: text) == nil,
      let key = SDKKey.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() })
    else { return nil }
    self = key
  }

  package func mistake(inKey text: String) -> String {
    "the key `\(text)` does not match `\(rawValue)`: keys are case-sensitive"
  }

  /// Returns a sentence that the restriction of sign-in to configured accounts has no effect. Returns nil if `value`
  /// does not restrict sign-in, or if `keys` name an account.
  ///
  /// - Parameter keys: All keys of the app's MDM configuration.
  package static func mistake(
    inAllowedAccountsOnly value: ConfigurationValue?, beside keys: Set<String>
  ) -> String? {
    guard case .text(let text)? = value, text.lowercased() == "enabled",
      keys.isDisjoint(with: [enrolledUPN.rawValue, enrolledObjectID.rawValue])
    else { return nil }
    return
      "`\(allowedAccountsOnly.rawValue)` has no effect without `\(enrolledUPN.rawValue)` or "
      + "`\(enrolledObjectID.rawValue)`, which name the account, so any account may sign in"
  }

  /// Returns a sentence that the required sign-in of configured accounts has no effect. Returns nil if `value` does not
  /// require it, or if `keys` name an account.
  ///
  /// - Parameter keys: All keys of the app's MDM configuration.
  package static func mistake(
    inRequireAccounts value: ConfigurationValue?, beside keys: Set<String>
  ) -> String? {
    guard case .text(let text)? = value, text.lowercased() == "enabled",
      keys.isDisjoint(with: [enrolledUPN.rawValue, enrolledObjectID.rawValue])
    else { return nil }
    return
      "`\(requireAccounts.rawValue)` has no effect without `\(enrolledUPN.rawValue)` or "
      + "`\(enrolledObjectID.rawValue)`, which name the account, so no sign-in is required"
  }

  /// Returns a sentence that the key for the enrolled user has no effect, because MDM does not manage the app. Returns
  /// nil if `keys` does not contain such a key.
  ///
  /// Source: Microsoft Learn, "How to manage data transfer between iOS apps in Microsoft Intune".
  ///
  /// - Parameter keys: All keys of the app's MDM configuration.
  package static func mistake(inUnmanagedApp keys: Set<String>) -> String? {
    naming(keys).map {
      "`\($0.rawValue)` has no effect in an app that MDM does not manage, so policies for unmanaged devices apply"
    }
  }

  /// Returns a sentence that the key for the enrolled user has no effect, because MDM does not manage the device.
  /// Returns nil if `keys` does not contain such a key.
  ///
  /// - Parameter keys: All keys of the app's MDM configuration.
  package static func mistake(onUnmanagedDevice keys: Set<String>) -> String? {
    naming(keys).map {
      "`\($0.rawValue)` has no effect on a device that MDM does not manage, so policies for unmanaged devices apply"
    }
  }

  /// Returns the key in `keys` that states the enrolled user: the UPN's key or, if it is absent, the object id's. Nil
  /// if neither is present.
  static func naming(_ keys: Set<String>) -> SDKKey? {
    [enrolledUPN, .enrolledObjectID].first { keys.contains($0.rawValue) }
  }

  /// Returns a sentence that the restriction of sign-in to configured accounts has no effect without MDM. Returns nil
  /// if `value` does not restrict sign-in, or if `isByMDM` is true.
  ///
  /// Source: Microsoft Learn, "Add app configuration policies for managed iOS/iPadOS devices".
  ///
  /// - Parameter isByMDM: Whether the configuration can come from MDM: the device may be enrolled, and MDM may manage
  ///   the app.
  package static func mistake(
    inAllowedAccountsOnly value: ConfigurationValue?, isByMDM: Bool
  ) -> String? {
    guard !isByMDM, case .text(let text)? = value, text.lowercased() == "enabled" else {
      return nil
    }
    return
      "`\(allowedAccountsOnly.rawValue)` has no effect unless MDM manages the app on an enrolled device, so any account "
      + "may sign in"
  }
}
