public import Model

/// What a step must come to. What is nil or empty is not compared; at least one thing is.
public struct Expectation: Sendable, Equatable {
  public var verdict: Outcome?
  /// Rules that must be among the verdict's reasons, all of them.
  public var reasons: [Rule]
  /// The rule that must have decided.
  public var deciding: Rule?
  public var end: RequestEnd?
  /// The status code that the guest gets, such as 227 or -25300.
  public var status: Int?
  /// Code of the cause why the step's guest ended (`ExitCause.code`).
  public var exit: String?
  /// The text that reaches its receiver: the receiving app, or who pasted, imported or searched.
  public var received: String?
  /// What becomes of the items that an extension hands back to the sender, in their order.
  public var returned: [Expectation]
  /// Whom a guest acts for after the step: the receiver of a share, else the guest that the step is about.
  public var identity: IdentityReference?
  /// Whether a policy applies to that identity there.
  public var isManaged: Bool?
  /// Whose the file or the data is; `unknown`: nobody's.
  public var owner: IdentityReference?
  /// Destinations that the share sheet shows, whether what they get can be read or not.
  public var shown: [String] = []
  /// Those of them that get what they cannot read.
  public var encrypted: [String] = []
  public var hidden: [String] = []
  /// What the app finds in its configuration, as texts, in this order; nothing where it is empty.
  public var values: [String]?
  /// Whether several different values are targeted for the key.
  public var hasConflict: Bool?
  /// Whether the app did what the SDK asked of it.
  public var isAccepted: Bool?
  /// How far the account has come in the app.
  public var enrollmentState: EnrollmentState?
  /// What the app's delegate heard last of the account.
  public var enrollment: EnrollmentStatus?
  public var compliance: ComplianceStatus?
  /// Whether the app got a token.
  public var hasToken: Bool?

  public enum EnrollmentState: String, Sendable, CaseIterable {
    case unregistered, registered, asking, waiting, restarting, enrolled, wiping
  }

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
