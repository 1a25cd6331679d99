/// The result of making an account compliant with conditional access. Raw values are the SDK's numbers.
///
/// Source: Intune App SDK for iOS, `IntuneMAMComplianceStatus`.
public enum ComplianceStatus: Int, Sendable, CaseIterable {
  /// A policy protects the account in the app.
  case compliant = 0
  case notCompliant = 1
  case serviceFailure = 2
  case networkFailure = 3
  /// The user has to be asked: call again with `silent` false.
  case interactionRequired = 4
  case userCancelled = 5

  /// The SDK's name for the status, such as `notCompliant`.
  public var name: String { "\(self)" }

  /// The status of that name; nil where none has it.
  public init?(name: String) {
    guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = status
  }
}
