public import Model

/// The device that every case of a scenario begins with.
public struct DeviceSpecification: Sendable, Equatable {
  /// Identifier of the device, as tags and journal name it.
  public var name: String
  /// What the virtual clock shows at first, in seconds since 1970-01-01T00:00:00Z.
  public var time: Int
  /// Whether the virtual clock shows what the machine's does when the device comes up, whatever ``time`` says.
  public var beginsNow = false
  public var seed: UInt64
  /// Whether an MDM manages the device.
  public var isMDMEnrolled: Bool
  public var isSupervised = false
  /// A `.mobileconfig` with the MDM's restrictions, its path as written: relative to the scenario file; nil: none.
  public var profile: String?
  /// Restrictions that the scenario states itself, over those of the profile.
  public var restrictions: [Setting: Bool]
  /// A folder of declarations, its path as written: relative to the scenario file; nil: none.
  public var declarations: String?
  /// What conditional launch sees of the device at first, over a device without fault.
  public var conditions: ConditionChange
  /// Whether questions that policies have for the user wait for a step `unlock`, rather than being answered at
  /// once and rightly.
  public var prompts: Prompts

  /// What is so of the service that enrolls accounts; nil: it answers at once, and nothing is wrong.
  public var service: ServiceChange?
  /// Whether users read French, and not English.
  public var language = Language.english

  public enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case french = "fr"
  }
  /// Whether the journal has what the SDK would tell Microsoft.
  public var recordsTelemetry = false
  /// What is told of the device's entry in Microsoft Entra's directory.
  public var directory = DirectoryEntry()
  /// What tokens of app configurations stand for, by their names: `serialnumber`.
  public var tokens: [String: String] = [:]

  public enum Prompts: String, Sendable, CaseIterable {
    case answered, asked
  }

  /// An unenrolled iPhone on New Year's Day 2026.
  public init(
    name: String = "iPhone", time: Int = 1_767_225_600, seed: UInt64 = 1,
    isMDMEnrolled: Bool = false, profile: String? = nil, restrictions: [Setting: Bool] = [:],
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
