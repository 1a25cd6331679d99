internal import Model
internal import Scenario

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
