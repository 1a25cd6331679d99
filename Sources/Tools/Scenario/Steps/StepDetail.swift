/// The parameters of an action, with the properties that all actions have.
public protocol StepDetail: Sendable, Equatable {
  /// The action in one line, as reports show it.
  var text: String { get }
  /// The name of the guest that acts; the first where several do; nil where none does.
  var actingGuest: String? { get }
  /// The name of the guest, or the bundle id, that something is sent to; nil where nothing is.
  var receiver: String? { get }
  /// The name of the account whose enrollment in the acting guest the action concerns; nil: none.
  var enrolledAccount: String? { get }
  /// The result that the action itself requires, in a phrase; nil: it requires none. Without it the step fails.
  var demand: String? { get }
}

extension StepDetail {
  public var actingGuest: String? { nil }
  public var receiver: String? { nil }
  public var enrolledAccount: String? { nil }
  public var demand: String? { nil }
}
