internal import Foundation
internal import JSON
internal import Scenario
internal import Simulation

/// One request to a running device, read from the words of a user.
struct ControlCall {
  let method: String
  /// The parameters as JSON text; nil for none.
  let parameters: String?
  /// The path that mistakes are about; nil where they are about the call itself.
  private(set) var subject: String?
  /// Whether a place in the device's answer is a place in the user's text: a call of words has none.
  private(set) var hasPlaces = false

  /// Whether notifications follow the answer, until the device goes down.
  var isFollowing: Bool {
    ControlMethod(rawValue: method)?.row.isFollowed == true
      && parameters?.contains("\"follow\":true") ?? false
  }

  /// The requests beside steps with their descriptions, in alphabetical order.
  static let commands: [(word: String, text: String)] = {
    let methods = ControlMethod.allCases.filter { $0.row.caller == .anybody }
      .map { (word: $0.rawValue, text: $0.row.text) }
    let administrator = (
      word: "admin",
      text: "what the administrator does: admin apply DIR, admin status, admin events"
    )
    let log = (
      word: "log",
      text: "the journal's last events, and those to come: limit=N; of a guest, the step"
    )
    return (methods + [administrator, log]).sorted { $0.word < $1.word }
  }()

  static let words = commands.map(\.word)
  /// The words that may follow `admin`.
  static let administration = ["apply", "events", "status"]

  /// Reads a request; nil where there are no words.
  ///
  /// - Parameter words: a step or another request, as words of a command line; or one word that is a step in YAML
  ///   or JSON.
  init?(_ words: [String]) {
    guard let first = words.first else { return nil }
    // With the name of a guest it is the step that looks at what the guest has written.
    let isStep = first == "log" && words.count > 1 && !words[1].contains("=")
    if first == "log", !isStep {
      self.init(following: words.dropFirst())
    } else if first == "admin", words.count > 1, let call = Self(administration: words.dropFirst())
    {
      self = call
    } else if Self.words.contains(first), !isStep {
      let value = StepLine.json(words).flatMap { try? JSONReader.read($0) }?[first]
      self.init(method: first, parameters: words.count == 1 ? nil : value?.line)
    } else if words.count == 1, first.contains(where: { "{:\n".contains($0) }) {
      self.init(step: first)
    } else {
      guard let json = StepLine.json(words) else { return nil }
      self.init(method: "step", parameters: json)
    }
  }

  /// Reads `log`: the journal's last events and, until the device goes down, those that come.
  private init?(following words: ArraySlice<String>) {
    let list = ["journal", "follow=true"] + words
    let value = StepLine.json(list).flatMap { try? JSONReader.read($0) }?["journal"]
    self.init(method: "journal", parameters: value?.line)
  }

  /// Reads a request of `sluice admin`: `apply FOLDER`, `status`, or `events` with the values of `journal`. nil for
  /// anything else.
  private init?(administration words: ArraySlice<String>) {
    switch words.first {
    case "apply":
      guard words.count == 2, let path = words.last else { return nil }
      self.init(applying: path)
    case "status" where words.count == 1: self.init(method: "report", parameters: nil)
    case "events":
      let list = ["events"] + words.dropFirst()
      let value = StepLine.json(list).flatMap { try? JSONReader.read($0) }?["events"]
      self.init(method: "events", parameters: list.count == 1 ? nil : value?.line)
    default:  // open: any other word, or none
      return nil
    }
  }

  /// Applies declarations. A relative path is resolved here, since the device does not know this process's folder.
  init(applying path: String) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("path", URL(fileURLWithPath: path).standardizedFileURL.path)
      writer.member("name", path)
    }
    self.init(method: "apply", parameters: writer.text)
    subject = path
    hasPlaces = true
  }

  /// Asks for the administrator's event log, and with `follow` for later events.
  init(eventsAtMost limit: Int, follow: Bool) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("limit", limit)
      writer.member("follow", follow)
    }
    self.init(method: "events", parameters: writer.text)
  }

  static let down = ControlCall(method: "down", parameters: nil)

  /// Asks for the device's status report on its declarations.
  static let report = ControlCall(method: "report", parameters: nil)

  /// Reads a line of a prompt; nil where it is empty or a comment.
  init?(line: String) {
    let text = line.drop(while: \.isWhitespace)
    guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
    let head = text.prefix { !$0.isWhitespace }
    if text.hasPrefix("{") || text.hasPrefix("- ") || head.hasSuffix(":") {
      self.init(step: String(text))
    } else {
      self.init(StepLine.words(String(text)))
    }
  }

  private init(step text: String) {
    var writer = JSONWriter()
    writer.array { $0.string(text) }
    self.init(method: "step", parameters: writer.text)
    hasPlaces = true
  }

  private init(method: String, parameters: String?) {
    self.method = method
    self.parameters = parameters
  }
}
