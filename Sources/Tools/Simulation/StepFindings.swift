internal import Scenario
internal import Wire

/// The findings of a step. What is nil or empty was not looked at.
struct StepFindings {
  /// The bytes that the guest read, where it was to read.
  var content: [UInt8] = []
  /// Whether the app did what the SDK asked for.
  var isAccepted: Bool?
  var sheet: [SheetLine]?
  var configuration: ConfigurationAnswer?
  /// The requests that the server received, a line for each.
  var serverRequests: [String] = []
  /// What the guest has written.
  var log = ""
}
