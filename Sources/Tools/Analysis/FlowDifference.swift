public import Policy
public import Model

/// Flows of one kind on which two policies differ, with the simplest of them as a witness.
public struct FlowDifference: Sendable {
  /// The simplest request that shows the difference.
  public var scene: Scene
  /// Where more than one shows it: the locations, the URLs or the kinds of web views of all that do.
  public internal(set) var subjects: [String] = []
  public var old: Side
  public var new: Side
  /// The settings whose values make the difference; one alone of them suffices to turn one of the answers.
  public var causes: [SettingDifference]

  /// What one of the policies makes of the witness.
  public struct Side: Sendable {
    public var request: TransferRequest
    public var outcome: Outcome
    /// The reason that decided.
    public var reason: Explanation
  }

  public enum Change: String, Sendable, CaseIterable {
    case becomesPossible, becomesImpossible, becomesEncrypted
    /// Allowed by both, but something else opens it, or the receiver takes the data for its own.
    case goesElsewhere

    /// The head of the list in a report.
    var title: String {
      switch self {
      case .becomesPossible: "Become possible"
      case .becomesImpossible: "Become impossible"
      case .becomesEncrypted: "Become encrypted"
      case .goesElsewhere: "Stay possible, but end elsewhere"
      }
    }
  }

  init(scene: Scene, old: Side, new: Side, causes: [SettingDifference]) {
    self.scene = scene
    self.old = old
    self.new = new
    self.causes = causes
  }

  public var channel: Channel { scene.channel }
  public var parties: Parties { scene.parties }

  public var change: Change {
    if old.outcome == new.outcome { return .goesElsewhere }
    return switch new.outcome {
    case .allowed: .becomesPossible
    case .blocked: .becomesImpossible
    case .encrypted: .becomesEncrypted
    }
  }
}
