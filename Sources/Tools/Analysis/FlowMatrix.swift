public import GraphDocuments
public import Policy
public import Model

/// What one policy makes of every kind of flow: a table that an administrator can read.
public struct FlowMatrix: Sendable {
  /// The policy's display name.
  public var name: String
  public var file: String
  /// The states of devices at which the policy is targeted. Cells speak of no others.
  public var states: [ManagementState]
  public var sections: [Section]

  /// Rows that have their columns in common.
  public struct Section: Sendable {
    public var title: String
    /// Who hands data over, and who gets it: `managed -> own account`.
    public var columns: [String]
    public var rows: [Row]
  }

  /// One kind of flow.
  public struct Row: Sendable {
    public var title: String
    public var channel: Channel
    /// nil where the SDK's sharing and the system's are no two ways.
    public var via: SharingPath?
    public var subject: Scene.Subject
    /// One for each column; nil where no such flow exists.
    public var entries: [Entry?]
  }

  /// What becomes of a flow between two parties.
  public struct Entry: Sendable {
    public var parties: Parties
    /// One for each answer, in the order of the states of devices.
    public var cells: [Cell]
  }

  /// One answer, and the states of devices in which it is given.
  public struct Cell: Sendable, Equatable {
    public var states: [ManagementState]
    public var outcome: Outcome
    /// The reason that decided.
    public var reason: Explanation
  }

  /// - Parameters:
  ///   - policies: all that are shown together, whose tables then have the same rows; nil: this one alone.
  ///   - channels: those to show; all that are in the table by default.
  public init(
    _ document: PolicyDocument, among policies: [PolicyDocument]? = nil,
    channels: Set<Channel> = Set(Channel.allCases)
  ) {
    let policy = EffectivePolicy(settings: document.settings, origins: document.origins)
    name = document.displayName
    file = document.file
    let levels = document.targeting.levels
    states = ManagementState.allCases.filter { levels?.contains($0.level) ?? true }
    let builder = FlowMatrixBuilder(
      policy: policy, states: states, shown: (policies ?? [document]).map(\.settings))
    sections = builder.sections(channels)
  }

  /// The channels that the table can show: all on which a policy has a say.
  public static let channels = Channel.allCases.filter { $0 != .contactRead }
}
