internal import Foundation
internal import JSON
internal import Scenario
internal import Simulation

/// One thing to ask of a running device, as somebody writes it.
struct ControlCall {
  let method: String
  /// JSON text; nil for none.
  let parameters: String?
  /// The path that mistakes are about; nil: they are about the call.
  private(set) var subject: String?
  /// Whether a place that the device tells is one in what somebody wrote: as words they have none.
  private(set) var hasPlaces = false

  /// Whether the device tells more after its answer, until it goes down.
  var isFollowing: Bool {
    ControlMethod(rawValue: method)?.row.isFollowed == true
      && parameters?.contains("\"follow\":true") ?? false
  }

  /// What can be asked for beside steps, and what that is, in alphabetical order.
  static let commands: [(word: String, text: String)] = {
    let methods = ControlMethod.allCases.filter { $0.row.caller == .anybody }
      .map { (word: $0.rawValue, text: $0.row.text) }
    let administrator = (
      word: "admin",
      text: "what the administrator does: admin apply DIR, admin status, admin events"
    )
    return (methods + [administrator]).sorted { $0.word < $1.word }
  }()

  static let words = commands.map(\.word)
  /// What may follow `admin`.
  static let administration = ["apply", "events", "status"]

  /// - Parameter words: a step or what else can be asked for, as words of a command line; or one word that is a step in
  ///   YAML or JSON. nil where there are none.
  init?(_ words: [String]) {
    guard let first = words.first else { return nil }
    if first == "admin", words.count > 1, let call = Self(administration: words.dropFirst()) {
      self = call
    } else if Self.words.contains(first) {
      let value = StepLine.json(words).flatMap { try? JSONReader.read($0) }?[first]
      self.init(method: first, parameters: words.count == 1 ? nil : value?.line)
    } else if words.count == 1, first.contains(where: { "{:\n".contains($0) }) {
      self.init(step: first)
    } else {
      guard let json = StepLine.json(words) else { return nil }
      self.init(method: "step", parameters: json)
    }
  }

  /// What `sluice admin` does: `apply FOLDER`, `status`, or `events` with what `journal` takes. nil for anything else.
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
    default: return nil
    }
  }

  /// Applies declarations. A path that is not whole begins where this process is, which the device cannot know.
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

  /// The administrator's event log, and with `follow` what comes later.
  init(eventsAtMost limit: Int, follow: Bool) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("limit", limit)
      writer.member("follow", follow)
    }
    self.init(method: "events", parameters: writer.text)
  }

  static let down = ControlCall(method: "down", parameters: nil)

  /// What the device reports of its declarations.
  static let report = ControlCall(method: "report", parameters: nil)

  /// - Parameter line: as at a prompt.
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

extension JSONValue {
  /// As compact JSON text.
  var line: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }
}
