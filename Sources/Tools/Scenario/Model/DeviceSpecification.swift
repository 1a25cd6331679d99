public import Model

/// The device that every case of a scenario begins with.
public struct DeviceSpecification: Sendable, Equatable {
  /// The identifier of the device in tags and the journal.
  public var name: String
  /// The name that the device has together with others that are alike; nil: it is alone.
  public var group: String?
  /// The time of the virtual clock at first, in seconds since 1970-01-01T00:00:00Z.
  public var time: Int
  /// Whether the virtual clock begins with the machine's time when the device comes up, whatever ``time`` is.
  public var beginsNow = false
  public var seed: UInt64
  /// The place among several devices, from 0: each draws random numbers of its own.
  public var ordinal = 0
  /// Whether an MDM manages the device.
  public var isMDMEnrolled: Bool
  public var isSupervised = false
  /// The path of a `.mobileconfig` with the MDM's restrictions, as written: relative to the scenario file; nil: none.
  public var profile: String?
  /// Whether the MDM profile has AirDrop count as an unmanaged destination (`forceAirDropUnmanaged`); nil: as ``profile`` states.
  public var forcesAirDropUnmanaged: Bool?
  /// Whether the MDM profile allows Handoff (`allowActivityContinuation`); nil: as ``profile`` states.
  public var allowsActivityContinuation: Bool?
  /// The Apple Account that the user is signed in to; nil: none.
  public var appleAccount: String?
  /// Whether the user has Handoff on.
  public var isHandoffOn = true
  /// The number of apps that stay in memory while they are not in use; nil: all do. Where it is stated, an app that does not run is
  /// launched when a step addresses it.
  public var appsInMemory: Int?
  /// Whether `isFileEncryptionRequired` is true where a policy asks for encryption, which is contested.
  public var isFileEncryptionRequired = false
  /// The restrictions that the scenario itself states; they take precedence over those of the profile.
  public var restrictions: [Restriction: Bool]
  /// The path of a folder of declarations, as written: relative to the scenario file; nil: none.
  public var declarations: String?
  /// The condition of the device at first, for conditional launch: changes to a device without fault.
  public var conditions: ConditionChange
  /// The treatment of questions that policies have for the user: answered at once and rightly, or asked until a step
  /// `unlock`.
  public var prompts: Prompts

  /// The state of the service that enrolls accounts; nil: it answers at once, and nothing is wrong.
  public var service: ServiceChange?
  /// The language of the users.
  public var language = Language.english

  /// A language of users.
  public enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case french = "fr"
  }
  /// Whether the journal records the telemetry that the SDK would send to Microsoft.
  public var recordsTelemetry = false
  /// The device's entry in Microsoft Entra's directory.
  public var directory = DirectoryEntry()
  /// The values of tokens of app configurations, by the tokens' names, such as `serialnumber`.
  public var tokens: [String: String] = [:]

  /// A restriction of an MDM profile that rules read, by its key in profiles.
  public enum Restriction: String, Sendable, CaseIterable {
    case allowOpenFromManagedToUnmanaged, allowOpenFromUnmanagedToManaged, requireManagedPasteboard
    case allowManagedToWriteUnmanagedContacts, allowUnmanagedToReadManagedContacts
    case allowScreenShot, allowWritingTools, allowGenmoji
  }

  /// The treatment of questions that policies have for the user.
  public enum Prompts: String, Sendable, CaseIterable {
    case answered, asked
  }

  /// Creates the specification of a device; by default, an unenrolled iPhone on New Year's Day 2026.
  public init(
    name: String = "iPhone", time: Int = 1_767_225_600, seed: UInt64 = 1,
    isMDMEnrolled: Bool = false, profile: String? = nil, restrictions: [Restriction: Bool] = [:],
    conditions: ConditionChange = ConditionChange(), prompts: Prompts = .answered
  ) {
    self.name = name
    self.time = time
    self.seed = seed
    self.isMDMEnrolled = isMDMEnrolled
    self.profile = profile
    self.restrictions = restrictions
    self.conditions = conditions
    self.prompts = prompts
  }
}
