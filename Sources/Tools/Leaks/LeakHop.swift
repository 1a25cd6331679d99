package import Model
internal import Policy
internal import Scenario

/// A way by which data of a managed account come where no policy holds: the shortest to that place.
package struct Leak: Sendable {
  /// The account whose data it is.
  package var owner: Account
  package var sink: Sink
  /// What is other about the device than the world states, in a clause; nil: nothing.
  package var condition: String?
  /// The hops, from where the data began to the sink.
  package var hops: [LeakHop]
  /// The number of moves; somebody who signs in to an app that gets the data is part of that move.
  var moves: Int

  /// The place that data reach.
  package enum Sink: Sendable, Hashable {
    /// An app or extension that acts for an identity without policy.
    case app(String, persona: String)
    case outside(LeakHop.Outside)
  }
}

// MARK: - Hops

/// One movement on the way of a leak.
package struct LeakHop: Sendable {
  /// The app that moves the data, and the persona for which it acts.
  package var app: String
  package var persona: String
  package var action: Action

  package enum Action: Sendable, Equatable {
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
  package struct Link: Sendable, Hashable {
    package var channel: Channel
    /// The URL up to the data.
    package var url: String
    /// The same as its receiver gets it, after the policy has rewritten it.
    package var opened: String
  }

  /// The accounts, by their names in the scenario, that sign out of an app and then in to it.
  package struct SignInChange: Sendable, Hashable {
    package var out: [String]
    package var `in`: [String]
  }

  /// A way between two apps.
  package struct Transfer: Sendable, Hashable {
    package var channel: Channel
    /// The path by which something is shared; of a result, that by which its extension was started.
    package var via: SharingPath
    /// The uniform type of the item.
    package var type = Item.plainText

    /// The same way for an item of another type.
    func moving(_ type: String) -> Transfer { Transfer(channel: channel, via: via, type: type) }
  }

  /// An extension, and how it came to what it hands back.
  package struct Echo: Sendable, Hashable {
    package var name: String
    /// The persona for which it acts.
    package var persona: String
    package var share: Transfer
    /// What it hands back.
    package var content: Content

    /// What it hands back.
    package enum Content: String, Sendable, Hashable {
      /// What it was handed, under its tag.
      case received
      /// The same, as its user has typed it in.
      case retyped
    }
  }

  /// A place outside of all apps.
  package struct Outside: Sendable, Hashable {
    package var channel: Channel
    /// The storage location; nil for a feature of the system.
    package var location: StorageLocation?
    /// The location's account as a scenario names it: an account, `unknown` or `unset`; nil for what has none.
    package var account: String?
  }

  /// The index of the extension that hands the data back at once; nil in other hops.
  var plugIn: Int?
  /// What the rules of transfers were asked, one after the other.
  var requests: [TransferRequest] = []
  /// The verdict of other rules; nil where those of transfers were asked, or none.
  var ruling: Verdict?

  /// The verdicts that let the data through, one after the other: of data that are saved and opened two.
  package var verdicts: [ExplainedVerdict] {
    if let ruling { return [Explainer.explain(ruling)] }
    return requests.map { Explainer.explain($0, evaluate($0)) }
  }

  /// The last of the verdicts; nil where no rule is asked.
  package var verdict: ExplainedVerdict? {
    if let ruling { return Explainer.explain(ruling) }
    return requests.last.map { Explainer.explain($0, evaluate($0)) }
  }
}

// MARK: - Words

extension LeakHop {
  /// The hop in a clause, without its verdict.
  package var text: String {
    let who = Self.text(app, persona)
    switch action {
    case .made: return "made in \(who)"
    case .retyped: return "typed in anew in \(who)"
    case .transfer(let transfer, let receiver, let persona)
    where transfer.channel == .extensionResult:
      let path = transfer.via == .os ? " via the system" : ""
      return "\(who) hands it back to \(Self.text(receiver, persona)), which has started it\(path)"
    case .echo(let echo, _):
      let what =
        switch echo.content {
        case .received: "hands it back"
        case .retyped: "hands it back, typed in anew"
        }
      return "\(who) \(echo.share.text) \(Self.text(echo.name, echo.persona)), which \(what)"
    case .transfer(let transfer, let receiver, let persona):
      return "\(who) \(transfer.text) \(Self.text(receiver, persona))"
    case .open(let link, let receiver, let persona):
      return "\(who) opens \(link.url)… in \(Self.text(receiver, persona))"
    case .keep(let group, let receiver, let persona):
      return
        "\(who) keeps it in the keychain group \(group), read by \(Self.text(receiver, persona))"
    case .store(let outside, let receiver, let persona):
      return "\(who) saves it to \(outside.text), opened by \(Self.text(receiver, persona))"
    case .container(let receiver, let persona):
      return "\(who) keeps it in its container, read by \(Self.text(receiver, persona))"
    case .handOff(let outside): return "\(who) → \(outside.text)"
    case .signIns(let change): return change.text(app)
    }
  }

  private static func text(_ app: String, _ persona: String) -> String {
    persona.isEmpty ? app : "\(app) as \(persona)"
  }

  /// The reason that let the data through, with its setting and where that is stated; nil where no rule is asked.
  package var why: String? {
    guard !verdicts.isEmpty else { return nil }
    return verdicts.map { verdict in
      let reason = verdict.reasons.first { $0.rule == verdict.deciding }
      let setting = reason?.setting.map { ", \($0)" } ?? ""
      return "\(verdict.deciding.rawValue)\(setting)" + (reason?.source.map { ", \($0)" } ?? "")
    }.joined(separator: "; ")
  }
}

extension LeakHop.Action {
  /// What the data pass through before somebody has them: a keychain group, a URL, a storage location; empty where they
  /// are handed over.
  var passage: String {
    switch self {
    case .keep(let group, _, _): group
    case .open(let link, _, _): link.url
    case .store(let outside, _, _): outside.text
    case .echo(let echo, _): echo.name
    case .made, .retyped, .transfer, .container, .handOff, .signIns: ""
    }
  }
}

extension LeakHop.SignInChange {
  fileprivate func text(_ app: String) -> String {
    guard !out.isEmpty else { return "\(Self.text(`in`, "in")) to \(app)" }
    return "\(Self.text(out, "out")) of \(app)" + (`in`.isEmpty ? "" : ", " + Self.text(`in`, "in"))
  }

  private static func text(_ names: [String], _ way: String) -> String {
    let verb = names.count == 1 ? "signs" : "sign"
    let first = names.dropLast().joined(separator: ", ")
    return (first.isEmpty ? "" : first + " and ") + "\(names.last ?? "") \(verb) \(way)"
  }
}

extension LeakHop.Transfer {
  fileprivate var text: String {
    let path = via == .os ? " via the system" : ""
    return switch channel.gesture {
    case .openIn: "opens it\(path) in"
    case .drop: "drops it in"
    case .paste: "copies it, pasted in"
    case .share: "shares it\(path) with"
    }
  }
}

extension LeakHop.Outside {
  /// The place in a few words.
  package var text: String {
    guard let location else { return channel.rawValue }
    return switch account {
    case nil, "unset"?: location.rawValue
    case let name?: "\(location.rawValue) of \(name)"
    }
  }
}

extension Leak.Sink {
  /// The place in a few words.
  package var text: String {
    switch self {
    case .app(let app, ""): app
    case .app(let app, let persona): "\(app) as \(persona)"
    case .outside(let outside): outside.text
    }
  }
}

// MARK: - Ways

/// The hops of a way, with those by which accounts sign in and out so that each app has who it needs.
struct LeakWay {
  private(set) var hops: [LeakHop] = []
  private let world: LeakWorld
  /// Who is signed in to each app by then.
  private var standing: [String: LeakWorld.SignIns] = [:]

  /// A hop, and the index of the app that has the data then.
  struct Step {
    var hop: LeakHop
    var app: Int
  }

  /// - Parameter steps: the hops that the search has found.
  init(_ steps: [Step], in world: LeakWorld) {
    self.world = world
    for step in steps { add(step) }
  }

  private mutating func add(_ step: Step) {
    if let plugIn = step.hop.plugIn { need(world.apps[plugIn], for: step.hop) }
    need(world.apps[step.app], for: step.hop)
    hops.append(step.hop)
  }

  /// Has accounts sign in and out until an app has those that it is to have.
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
