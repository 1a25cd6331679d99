/// A declaration, and what is to be said of it on any device.
struct CheckedDeclaration: Sendable {
  var declaration: Declaration
  /// Why it is not valid; none where it is.
  var faults: [StatusReason] = []
  /// What is said of it beside that.
  var notes: [StatusReason] = []
  /// What its payload names.
  var references: [PayloadChecker.Reference] = []
  var meaning: Meaning = .none

  /// What a payload says, where it is valid.
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

/// Where the profile of a configuration comes from.
enum ProfileSource: Sendable, Equatable {
  /// A path or URL.
  case url(String)
  /// The identifier of a data asset.
  case asset(String)
}

/// What `com.apple.configuration.management.test` asks for.
struct TestSettings: Sendable, Equatable {
  enum Outcome: String, Sendable {
    case installed = "Installed"
    case failed = "Failed"
    case unlocked = "Unlocked"
  }

  var echo: String
  /// The identifier of a data asset; nil where there is none.
  var echoAsset: String?
  var outcome: Outcome
}
