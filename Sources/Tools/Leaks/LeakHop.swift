public import Model
internal import Policy

/// One movement on the way of a leak.
public struct LeakHop: Sendable {
  /// The app that moves the data, and the persona for which it acts.
  public var app: String
  public var persona: String
  public var action: Action

  public enum Action: Sendable, Equatable {
    /// The app has the data as its own; where chains begin.
    case made
    /// The user, or the app, enters the data anew for this persona: no tag comes along.
    case retyped
    /// To an app or extension that acts for `persona`, or from an extension back to an app that started it.
    case transfer(Transfer, to: String, as: String)
    /// To an extension that hands it back at once to the app, which acts for `persona`.
    case echo(Echo, as: String)
    /// In a URL that an app opens, which acts for `persona`.
    case open(Link, to: String, as: String)
    /// By a keychain group, in which an app looks that acts for `persona`.
    case keep(group: String, to: String, as: String)
    /// By a storage location of a managed account, from which an app opens it that acts for `persona`.
    case store(Outside, to: String, as: String)
    /// Through the container that an extension without a policy shares with its app, which acts for `persona`.
    case container(to: String, as: String)
    /// To a feature of the system, or a storage location.
    case handOff(Outside)
    /// No data move: accounts sign in to the app, or out.
    case signIns(SignInChange)

    /// The other app that has the data then, and the persona for which it acts; nil where the data stay, or leave all apps.
    var receiver: (app: String, persona: String)? {
      switch self {
      case .transfer(_, let app, let persona), .open(_, let app, let persona),
        .keep(_, let app, let persona),
        .store(_, let app, let persona), .container(let app, let persona):
        (app, persona)
      case .made, .retyped, .echo, .handOff, .signIns: nil
      }
    }
  }

  /// A URL that carries data at its end.
  public struct Link: Sendable, Hashable {
    public var channel: Channel
    /// The URL up to the data.
    public var url: String
    /// The same as its receiver gets it, after the policy has rewritten it.
    public var opened: String
  }

  /// The accounts, by their names in the scenario, that sign out of an app and then in to it.
  public struct SignInChange: Sendable, Hashable {
    public var out: [String]
    public var `in`: [String]
  }

  /// A way between two apps.
  public struct Transfer: Sendable, Hashable {
    public var channel: Channel
    /// The path by which something is shared; of a result, that by which its extension was started.
    public var via: SharingPath
    /// The uniform type of the item.
    public var type = Item.plainText

    /// The same way for an item of another type.
    func moving(_ type: String) -> Transfer { Transfer(channel: channel, via: via, type: type) }
  }

  /// An extension, and how it came to what it hands back.
  public struct Echo: Sendable, Hashable {
    public var name: String
    /// The persona for which it acts.
    public var persona: String
    public var share: Transfer
    /// What it hands back.
    public var content: Content

    /// What it hands back.
    public enum Content: String, Sendable, Hashable {
      /// What it was handed, under its tag.
      case received
      /// The same, as its user has typed it in.
      case retyped
    }
  }

  /// A place outside of all apps.
  public struct Outside: Sendable, Hashable {
    public var channel: Channel
    /// The storage location; nil for a feature of the system.
    public var location: StorageLocation?
    /// The location's account as a scenario names it: an account, `unknown` or `unset`; nil for what has none.
    public var account: String?
  }

  /// The index of the extension that hands the data back at once; nil in other hops.
  var plugIn: Int?
  /// What the rules of transfers were asked, one after the other.
  var requests: [TransferRequest] = []
  /// The verdict of other rules; nil where those of transfers were asked, or none.
  var ruling: Verdict?

  /// The verdicts that let the data through, one after the other: of data that are saved and opened two.
  public var verdicts: [ExplainedVerdict] {
    if let ruling { return [Explainer.explain(ruling)] }
    return requests.map { Explainer.explain($0, evaluate($0)) }
  }

  /// The last of the verdicts; nil where no rule is asked.
  public var verdict: ExplainedVerdict? {
    if let ruling { return Explainer.explain(ruling) }
    return requests.last.map { Explainer.explain($0, evaluate($0)) }
  }
}
