public import GraphDocuments
public import Model
public import Policy

/// The answers of one policy to every kind of flow, in a table for administrators.
public struct FlowMatrix: Sendable {
  /// The policy's display name.
  public var name: String
  public var file: String
  /// The states of devices at which the policy is targeted. Cells concern no others.
  public var states: [ManagementState]
  public var sections: [Section]

  /// Rows with the same columns.
  public struct Section: Sendable {
    public var title: String
    /// The parties of each column, such as `managed -> own account`.
    public var columns: [String]
    public var rows: [Row]
  }

  /// One kind of flow.
  public struct Row: Sendable {
    public var title: String
    public var channel: Channel
    /// The path of sharing; nil where the SDK's sharing and the system's do not differ.
    public var via: SharingPath?
    public var subject: Scene.Subject
    /// An entry for each column; nil where no such flow exists.
    public var entries: [Entry?]
  }

  /// The answers to a flow between two parties.
  public struct Entry: Sendable {
    public var parties: Parties
    /// A cell for each answer, in the order of the states of devices.
    public var cells: [Cell]
  }

  /// An answer, and the states of devices in which it is given.
  public struct Cell: Sendable, Equatable {
    public var states: [ManagementState]
    public var outcome: Outcome
    /// The reason that decided.
    public var reason: Explanation
  }

  /// Decides every flow of the table under a policy.
  ///
  /// - Parameters:
  ///   - policies: all policies that are shown together, whose tables then have the same rows; nil: this policy alone.
  ///   - channels: the channels to show; by default, all that are in the table.
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

  /// The channels that the table can show: all on which a policy decides.
  public static let channels = Channel.allCases.filter { $0 != .contactRead }
}
