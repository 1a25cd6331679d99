package import Model
package import Policy

/// A shortest path by which a managed account's data reaches an endpoint without a policy.
package struct Leak: Sendable {
  package var owner: Account
  package var sink: Sink
  /// The difference between the device on which the leak occurs and the scenario's device, as a clause; nil if there is
  /// none.
  package var condition: String?
  /// The hops, from the data's origin to the sink.
  package var hops: [LeakHop]
  /// The number of moves. A sign-in that a move requires is part of that move.
  var moves: Int

  /// The endpoint that the data reaches.
  package enum Sink: Sendable, Hashable {
    /// An app or extension that acts for an identity without a policy.
    case app(String, persona: String)
    case outside(LeakHop.Outside)

    /// The endpoint's name in JSON and models.
    package var name: String {
      switch self {
      case .app(let app, ""): app
      case .app(let app, let persona): "\(app) as \(persona)"
      case .outside(let outside): outside.name
      }
    }

    /// A short description of the endpoint for readers.
    package var text: String {
      switch self {
      case .app: name
      case .outside(let outside): outside.text
      }
    }
  }
}

// MARK: - Hops

/// One movement on a leak's path.
package struct LeakHop: Sendable {
  /// The app that moves the data. It acts for the identity with the name ``persona``.
  package var app: String
  package var persona: String
  package var action: Action

  package enum Action: Sendable, Equatable {
    /// The data originates in the app. This is the first hop of a path.
    case made
    /// The user or the app retypes the data for this identity, so the ownership tag is lost.
    case retyped
    /// A transfer to the app or extension `to`, which acts for the identity `as`. An extension transfers data only to
    /// an app that started it.
    case transfer(Transfer, to: String, as: String)
    /// A share with an extension, which immediately returns the data to the app. The app acts for the identity `as`.
    case echo(Echo, as: String)
    /// A URL with the data, which the app `to` opens for the identity `as`.
    case open(Link, to: String, as: String)
    /// A keychain group with the data, which the app `to` reads for the identity `as`.
    case keep(group: String, to: String, as: String)
    /// A storage location of a managed account, from which the app `to` opens the data for the identity `as`.
    case store(Outside, to: String, as: String)
    /// The container that the app `to` shares with its extension, which has no policy. The app acts for the identity
    /// `as`.
    case container(to: String, as: String)
    /// A use of a system feature or a storage location.
    case use(Outside)
    /// Accounts sign in to the app or sign out. No data moves.
    case signIns(SignInChange)

    /// The receiving app and its identity; nil if the data stays in the app or leaves all apps.
    var receiver: (app: String, persona: String)? {
      switch self {
      case .transfer(_, let app, let persona), .open(_, let app, let persona),
        .keep(_, let app, let persona),
        .store(_, let app, let persona), .container(let app, let persona):
        (app, persona)
      case .made, .retyped, .echo, .use, .signIns: nil
      }
    }

    /// The medium between sender and receiver: a keychain group, a URL, a storage location or the extension
    /// that returns the data; empty for other hops.
    var medium: String {
      switch self {
      case .keep(let group, _, _): group
      case .open(let link, _, _): link.url
      case .store(let outside, _, _): outside.name
      case .echo(let echo, _): echo.name
      case .made, .retyped, .transfer, .container, .use, .signIns: ""
      }
    }
  }

  /// A URL to which an app appends the data.
  package struct Link: Sendable, Hashable {
    package var channel: Channel
    /// The URL without the data.
    package var url: String
    /// The URL without the data, as the receiver gets it after the policy has rewritten it.
    package var opened: String
  }

  /// The accounts that sign out of an app, and then the accounts that sign in, by their names in the scenario.
  package struct SignInChange: Sendable, Hashable {
    package var out: [String]
    package var `in`: [String]

    fileprivate func text(_ app: String) -> String {
      guard !out.isEmpty else { return "\(Self.text(`in`, "in")) to \(app)" }
      return "\(Self.text(out, "out")) of \(app)"
        + (`in`.isEmpty ? "" : ", " + Self.text(`in`, "in"))
    }

    private static func text(_ names: [String], _ channel: String) -> String {
      let verb = names.count == 1 ? "signs" : "sign"
      let first = names.dropLast().joined(separator: ", ")
      return (first.isEmpty ? "" : first + " and ") + "\(names.last ?? "") \(verb) \(channel)"
    }
  }

  /// A transfer between two apps, described by its channel, sharing path and item type.
  package struct Transfer: Sendable, Hashable {
    package var channel: Channel
    /// The sharing path. For an extension's result, it is the path by which the extension was started.
    package var via: SharingPath
    package var type = Item.plainText

    func moving(_ type: String) -> Transfer { Transfer(channel: channel, via: via, type: type) }

    fileprivate var text: String {
      if channel == .clipboard { return "copies it, pasted in" }
      let path = via == .os ? " via the system" : ""
      return switch channel.way {
      case .openIn: "opens it\(path) in"
      case .dragAndDrop: "drops it in"
      case .share, nil: "shares it\(path) with"
      }
    }
  }

  /// A share with an extension that returns the data immediately.
  package struct Echo: Sendable, Hashable {
    package var name: String
    /// The name of the identity that the extension acts for.
    package var persona: String
    package var share: Transfer
    package var content: Content

    package enum Content: String, Sendable, Hashable {
      /// The received item, with its tag.
      case received
      /// The same data, retyped by the extension's user.
      case retyped
    }
  }

  /// An endpoint outside all apps.
  package struct Outside: Sendable, Hashable {
    package var channel: Channel
    /// The storage location; nil for a system feature.
    package var location: StorageLocation?
    /// The location's account: a name from the scenario, `unknown` or `unset`; nil if the location has no account.
    package var account: String?

    /// The endpoint's name in JSON and models.
    package var name: String {
      guard let location else { return channel.rawValue }
      return switch account {
      case nil, "unset"?: location.rawValue
      case let name?: "\(location.rawValue) of \(name)"
      }
    }

    /// A short description of the endpoint for readers.
    package var text: String {
      guard let location else { return channel.row.counterpartWords }
      let isStated = account != "unset" && account != "unknown"
      return StorageLocation.text(location.rawValue, of: isStated ? account : nil)
    }
  }

  /// The index in ``LeakWorld/apps`` of the extension that returns the data immediately; nil if there is no such
  /// extension.
  var plugIn: Int?
  /// The transfer requests that were evaluated for the hop, in the order of evaluation.
  package internal(set) var requests: [TransferRequest] = []
  /// The verdict of rules other than transfer rules; nil if no such rules were evaluated.
  var otherVerdict: Verdict?

  /// The verdicts that allowed the hop, in the order of evaluation. A hop that saves data and opens it again has two.
  package var verdicts: [ExplainedVerdict] {
    if let otherVerdict { return [Explainer.explain(otherVerdict)] }
    return requests.map { Explainer.explain($0, evaluate($0)) }
  }

  /// The last verdict; nil if no rule was evaluated.
  package var verdict: ExplainedVerdict? {
    if let otherVerdict { return Explainer.explain(otherVerdict) }
    return requests.last.map { Explainer.explain($0, evaluate($0)) }
  }

  // MARK: Text

  /// The hop as a clause, without its verdict.
  package var text: String {
    let who = Self.text(app, persona)
    switch action {
    case .made: return "made in \(who)"
    case .retyped: return "retyped in \(who)"
    case .transfer(let transfer, let receiver, let persona)
    where transfer.channel == .extensionResult:
      let path = transfer.via == .os ? " via the system" : ""
      return
        "\(who) hands the data back to \(Self.text(receiver, persona)), which started the extension\(path)"
    case .echo(let echo, _):
      let what =
        switch echo.content {
        case .received: "hands it back"
        case .retyped: "hands it back, retyped"
        }
      return "\(who) \(echo.share.text) \(Self.text(echo.name, echo.persona)), which \(what)"
    case .transfer(let transfer, let receiver, let persona):
      return "\(who) \(transfer.text) \(Self.text(receiver, persona))"
    case .open(let link, let receiver, let persona):
      return "\(who) opens \(link.url)… in \(Self.text(receiver, persona))"
    case .keep(let group, let receiver, let persona):
      return
        "\(who) keeps the data in the keychain group \(group), and \(Self.text(receiver, persona)) reads it"
    case .store(let outside, let receiver, let persona):
      return
        "\(who) saves the data to \(outside.text), and \(Self.text(receiver, persona)) opens it"
    case .container(let receiver, let persona):
      return
        "\(who) keeps the data in the shared container, and \(Self.text(receiver, persona)) reads it"
    case .use(let outside): return "\(who) → \(outside.text)"
    case .signIns(let change): return change.text(app)
    }
  }

  private static func text(_ app: String, _ persona: String) -> String {
    persona.isEmpty ? app : "\(app) as \(persona)"
  }

  /// The rules that allowed the hop, each with its setting and the setting's location; nil if no rule was evaluated.
  package var why: String? {
    guard !verdicts.isEmpty else { return nil }
    return verdicts.map { verdict in
      let reason = verdict.reasons.first { $0.rule == verdict.deciding }
      let setting = reason?.setting.map { ", \($0)" } ?? ""
      return "\(verdict.deciding.rawValue)\(setting)"
        + (reason?.sources.map { ", \($0)" }.joined() ?? "")
    }.joined(separator: "; ")
  }
}

// MARK: - Paths

/// The hops of a path, completed with the sign-ins and sign-outs that give each app the accounts it needs.
struct LeakPath {
  private(set) var hops: [LeakHop] = []
  private let world: LeakWorld
  /// The accounts that are signed in to each app after the hops added so far, keyed by app name.
  private var standing: [String: LeakWorld.SignIns] = [:]

  /// A hop, and the index in ``LeakWorld/apps`` of the app that has the data after the hop.
  struct Step {
    var hop: LeakHop
    var app: Int
  }

  init(_ steps: [Step], in world: LeakWorld) {
    self.world = world
    for step in steps { add(step) }
  }

  private mutating func add(_ step: Step) {
    if let plugIn = step.hop.plugIn { need(world.apps[plugIn], for: step.hop) }
    need(world.apps[step.app], for: step.hop)
    hops.append(step.hop)
  }

  /// Adds the sign-ins and sign-outs that give an app its required accounts.
  private mutating func need(_ app: LeakWorld.App, for hop: LeakHop) {
    guard let needed = app.signIns else { return }
    let before = standing[needed.app] ?? stated(needed.app)
    standing[needed.app] = needed
    if case .signIns = hop.action { return }
    guard let before, before.accounts != needed.accounts else { return }
    hops.append(before.change(to: needed))
  }

  private func stated(_ app: String) -> LeakWorld.SignIns? {
    world.apps.lazy.compactMap(\.signIns).first { $0.app == app && $0.beginning == .stated }
  }
}
