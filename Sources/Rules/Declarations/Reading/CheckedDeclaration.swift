/// A declaration, with its faults and notes that are the same on any device.
struct CheckedDeclaration: Sendable {
  var declaration: Declaration
  /// The reasons why the declaration is not valid; empty where it is.
  var faults: [StatusReason] = []
  /// The other notes on the declaration.
  var notes: [StatusReason] = []
  /// The references in its payload.
  var references: [PayloadChecker.Reference] = []
  var meaning: Meaning = .none

  /// The meaning of a valid payload.
  enum Meaning: Sendable {
    case none
    case activation(configurations: [String], condition: ActivationCondition?)
    case managedApp(ManagedAppSettings)
    case appSettings(AppSettings)
    case profile(ProfileSource)
    case subscriptions([String])
    case test(TestSettings)
    case properties([String: StatusValue])
  }

  var isValid: Bool { faults.isEmpty }
}

/// The source of a configuration's profile.
enum ProfileSource: Sendable, Equatable {
  /// A path or a URL.
  case url(String)
  /// The identifier of a data asset.
  case asset(String)
}

/// The settings of `com.apple.configuration.management.test`.
struct TestSettings: Sendable, Equatable {
  enum Outcome: String, Sendable {
    case installed = "Installed"
    case failed = "Failed"
    case unlocked = "Unlocked"
  }

  var echo: String
  /// The identifier of the data asset to echo; nil where there is none.
  var echoAsset: String?
  var outcome: Outcome
}
