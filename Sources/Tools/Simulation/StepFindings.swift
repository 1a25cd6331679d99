internal import Scenario
internal import Wire

/// What a step looked at, and found. What is nil or empty was not looked at.
struct StepFindings {
  /// What the guest read, where it was to read.
  var content: [UInt8] = []
  /// Whether the app did what the SDK asked of it.
  var isAccepted: Bool?
  var sheet: [SheetLine]?
  var configuration: ConfigurationAnswer?
  /// Who came to the server, a line for each.
  var visitors: [String] = []
}
