public import Model
public import Policy

/// Flows of one kind on which two policies differ, with the simplest of them as a witness.
public struct FlowDifference: Sendable {
  /// The simplest request that shows the difference.
  public var scene: Scene
  /// The locations, URLs or kinds of web views of all requests that show the difference.
  public internal(set) var subjects: [String] = []
  public var old: Side
  public var new: Side
  /// The settings whose values make the difference: each of them alone turns one of the answers, or only all together
  /// do.
  public var causes: [SettingDifference]

  /// The answer of one of the policies to the witness.
  public struct Side: Sendable {
    public var request: TransferRequest
    public var outcome: Outcome
    /// The reason that decided.
    public var reason: Explanation
  }

  /// The change from the old policy's answer to the new one's.
  public enum Change: String, Sendable, CaseIterable {
    case becomesPossible, becomesImpossible, becomesEncrypted
    /// Allowed by both, but another app opens it, or the receiver takes the data for its own organisation's.
    case goesElsewhere

    /// The heading of the list in a report.
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
