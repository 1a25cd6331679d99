/// What an action knows of itself.
public protocol StepDetail: Sendable, Equatable {
  /// The action in one line, as reports show it.
  var text: String { get }
  /// Name of the guest that acts; the first where several do; nil where none does.
  var actingGuest: String? { get }
  /// Name of the guest, or bundle id, that something is sent to; nil where nothing is.
  var receiver: String? { get }
  /// Name of the account whose enrollment in the acting guest the action is about; nil: it is about none.
  var enrolledAccount: String? { get }
}

extension StepDetail {
  public var receiver: String? { nil }
  public var enrolledAccount: String? { nil }
}
