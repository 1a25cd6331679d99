public import Model

/// The expected outcome of a step. What is nil or empty is not compared; at least one property is set.
public struct Expectation: Sendable, Equatable {
  public var verdict: Outcome?
  /// The rules that must all be among the verdict's reasons.
  public var reasons: [Rule]
  /// The rule that must have decided.
  public var deciding: Rule?
  public var end: RequestEnd?
  /// The status code that the guest gets, such as 227 or -25300.
  public var status: Int?
  /// The code of the cause why the step's guest ended (`ExitCause.code`).
  public var exit: String?
  /// The text that reaches its receiver: the receiving app, or the one that pasted, imported or searched.
  public var received: String?
  /// Texts of which each is part of a line that the guest has written; their order does not matter.
  public var said: [String] = []
  /// The expected outcomes of the items that an extension hands back to the sender, in their order.
  public var returned: [Expectation]
  /// The identity that a guest acts for after the step: the receiver of a share, else the guest that the step is about.
  public var identity: IdentityReference?
  /// Whether a policy applies to that identity in the guest.
  public var isManaged: Bool?
  /// The account that owns the file or the data; `unknown`: none.
  public var owner: IdentityReference?
  /// The destinations that the share sheet shows, whether they get readable data or not.
  public var shown: [String] = []
  /// The shown destinations that get data they cannot read.
  public var encrypted: [String] = []
  public var hidden: [String] = []
  /// The values that the app finds in its configuration, as texts, in this order; empty: none.
  public var values: [String]?
  /// Whether several different values are targeted for the key.
  public var hasConflict: Bool?
  /// Whether the app did what the SDK asked for.
  public var isAccepted: Bool?
  /// The state of the account's enrollment in the app.
  public var enrollmentState: EnrollmentState?
  /// The status of the account that the app's delegate got last.
  public var enrollment: EnrollmentStatus?
  public var compliance: ComplianceStatus?
  /// Whether the app got a token.
  public var hasToken: Bool?

  /// The state of an account's enrollment in an app.
  public enum EnrollmentState: String, Sendable, CaseIterable {
    case unregistered, registered, asking, waiting, restarting, enrolled, wiping
  }

  /// Creates an expectation of the properties that are not nil or empty.
  public init(
    verdict: Outcome? = nil, reasons: [Rule] = [], deciding: Rule? = nil, end: RequestEnd? = nil,
    status: Int? = nil, exit: String? = nil, received: String? = nil,
    returned: [Expectation] = [], identity: IdentityReference? = nil, isManaged: Bool? = nil
  ) {
    self.verdict = verdict
    self.reasons = reasons
    self.deciding = deciding
    self.end = end
    self.status = status
    self.exit = exit
    self.received = received
    self.returned = returned
    self.identity = identity
    self.isManaged = isManaged
  }
}
