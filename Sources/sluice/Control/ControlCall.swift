internal import JSON
internal import Scenario
internal import Simulation

/// One thing to ask of a running device, as somebody writes it.
struct ControlCall {
  let method: String
  /// JSON text; nil for none.
  let parameters: String?

  /// What can be asked for beside steps.
  static let words = ["accounts", "apps", "down", "journal", "methods", "status"]

  /// - Parameter words: a step or what else can be asked for, as words of a command line; or one word that is a step in
  ///   YAML or JSON. nil where there are none.
  init?(_ words: [String]) {
    guard let first = words.first else { return nil }
    if Self.words.contains(first) {
      let value = StepLine.json(words).flatMap { try? JSONReader.read($0) }?[first]
      self.init(method: first, parameters: words.count == 1 ? nil : value?.line)
    } else if words.count == 1, first.contains(where: { "{:\n".contains($0) }) {
      self.init(step: first)
    } else {
      guard let json = StepLine.json(words) else { return nil }
      self.init(method: "step", parameters: json)
    }
  }

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

  private func write(to writer: inout JSONWriter) {
    switch kind {
    case .null: writer.null()
    case .bool(let flag): writer.bool(flag)
    case .number(let spelling): writer.raw(spelling.utf8)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.array { writer in
        for element in elements { element.write(to: &writer) }
      }
    case .object(let members):
      writer.object { writer in
        for member in members {
          writer.member(named: member.name) { member.value.write(to: &$0) }
        }
      }
    }
  }
}
