internal import Model

extension Holder {
  /// The holder in a few words.
  var text: String {
    switch self {
    case .app(let participant): participant.text
    case .pasteboard: "the pasteboard"
    case .file(let path): path
    case .device(let name): name
    case .outside(let place, ""?): "\(place) of an unknown account"
    case .outside(let place, let account): account.map { "\(place) of \($0)" } ?? place
    }
  }
}

extension Participant {
  /// The guest and for whom it acts.
  var text: String {
    switch identity {
    case nil: guest
    case "": "\(guest) (unknown account)"
    case let upn?: "\(guest) (\(upn), \(isManaged ? "managed" : "unmanaged"))"
    }
  }
}

extension Hop {
  /// The number of the request, after the device's name where there are several.
  var label: String { place.map { "\($0.device) \($0.request)" } ?? "\(number)" }

  /// The rule that let the data through, with its setting and where that is stated.
  var rule: String {
    let setting = reason.setting.map { " by \($0)" } ?? ""
    return reason.rule.rawValue + setting + (reason.source.map { ", \($0)" } ?? "")
  }

  /// What the holder has that nobody may expect of it.
  var marks: [String] {
    (isUnmanaged ? ["unmanaged"] : []) + (isEncrypted ? ["encrypted"] : [])
  }

  /// Where the data began, for a hop that came from no other one.
  var origin: String {
    guard let sender else { return "from outside" }
    return "made in \(sender.text)"
  }
}

extension Hop.Certainty {
  /// What text adds to a hop; empty for what is certain.
  var words: String {
    switch self {
    case .certain: ""
    case .stated: ", as the app says"
    case .likely: ", likely, by its content"
    }
  }
}
