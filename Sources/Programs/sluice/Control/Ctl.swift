internal import ArgumentParser
internal import DeviceControl
internal import Encodings
internal import Foundation
internal import Output
internal import Scenario
internal import Simulation

struct Ctl: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl",
    abstract: "Carry out a step on a running device, or show its state.",
    discussion: """
      sluice ctl share from=mail to=viewer text="Quarterly figures" expect.verdict=blocked

      A step is its name with values, or a scenario's step as YAML or JSON. Other commands are \
      \(ControlCall.words.joined(separator: ", ")). `sluice ctl help` describes all of them. With - each line of standard \
      input is a step or command.

      Exit status: 0 done and as expected, 1 an expectation failed or a step was not carried out, 2 the device rejected \
      the request, or no device answers, 64 usage.
      """)

  @Argument(
    help: "The step or command with its values, or - for standard input.", completion: .steps)
  var words: [String]

  @Option(help: "Format of the answers; json is the device's own.")
  var format = TextFormat.text

  @OptionGroup var control: ControlOptions

  func perform() throws(RunError) {
    if words.first == "help" {
      return print(try ControlHelp().text(Array(words.dropFirst())), terminator: "")
    }
    let session = ControlSession(try control.connect(), format)
    let outcome = words == ["-"] ? try askLines(session) : try ask(session)
    if let status = outcome.status { Self.exit(withError: status) }
  }

  private func ask(_ session: ControlSession) throws(RunError) -> ControlSession.Outcome {
    guard let call = ControlCall(words) else { return .held }
    let outcome = try session.ask(call)
    if outcome == .held, call.isFollowing { try session.follow() }
    return outcome
  }

  private func askLines(_ session: ControlSession) throws(RunError) -> ControlSession.Outcome {
    var worst = ControlSession.Outcome.held
    while let line = readLine() {
      if let call = ControlCall(line: line) { worst = max(worst, try session.ask(call)) }
    }
    return worst
  }
}

// MARK: - Requests

/// A request to a running device, as the user typed it.
struct ControlCall {
  let method: String
  /// The parameters as JSON; nil if there are none.
  let parameters: String?
  /// The path of the file or folder that errors are about; nil if they are about the request itself.
  private(set) var subject: String?
  /// Whether lines and columns in the device's answer are positions in a text that the user wrote. False for a request
  /// given as command-line words.
  private(set) var hasPlaces = false

  /// Whether the device sends new events after the answer, until it shuts down.
  var isFollowing: Bool {
    ControlMethod(rawValue: method)?.row.isFollowed == true
      && parameters?.contains("\"follow\":true") ?? false
  }

  /// The requests that are not steps, in alphabetical order, each with a description.
  static let commands: [(word: String, text: String)] = {
    let methods = ControlMethod.allCases.filter { $0.row.caller == .anybody }
      .map { (word: $0.rawValue, text: $0.row.text) }
    let administrator = (
      word: "admin",
      text: "the administrator's commands: admin apply DIR, admin status, admin events"
    )
    let log = (
      word: "log",
      text:
        "the journal's latest events (limit=N), and then new ones; with a guest's name, the same as the step `log`"
    )
    return (methods + [administrator, log]).sorted { $0.word < $1.word }
  }()

  static let words = commands.map(\.word)
  static let administration = ["apply", "events", "status"]

  /// Parses a request. Returns nil if there are no words.
  ///
  /// - Parameter words: The words of a request, such as those of a step. A single word can also contain a step in YAML
  ///   or JSON.
  init?(_ words: [String]) {
    guard let first = words.first else { return nil }
    // With a guest's name, `log` is the step that checks the guest's output.
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

  /// Parses the words after `log`. The request returns the journal's latest events, and then new events until the
  /// device shuts down.
  private init?(following words: ArraySlice<String>) {
    let list = ["journal", "follow=true"] + words
    let value = StepLine.json(list).flatMap { try? JSONReader.read($0) }?["journal"]
    self.init(method: "journal", parameters: value?.line)
  }

  /// Parses the words after `admin`: `apply FOLDER`, `status`, or `events` with the options of `journal`. Returns nil
  /// for any other words.
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

  /// Creates a request to apply declarations. The path becomes absolute, because the device does not know this
  /// process's working directory.
  init(applying path: String) {
    self.init(
      method: "apply",
      parameters: JSONWriter.objectText { writer in
        writer.member("path", URL(fileURLWithPath: path).standardizedFileURL.path)
        writer.member("name", path)
      })
    subject = path
    hasPlaces = true
  }

  /// Creates a request for the latest events of the administrator's log. If `follow` is true, new events follow until
  /// the device shuts down.
  init(eventsAtMost limit: Int, follow: Bool) {
    self.init(
      method: "events",
      parameters: JSONWriter.objectText { writer in
        writer.member("limit", limit)
        writer.member("follow", follow)
      })
  }

  static let down = ControlCall(method: "down", parameters: nil)

  /// A request for the status of the device's declarations.
  static let report = ControlCall(method: "report", parameters: nil)

  /// Parses a line that the user entered. Returns nil if it is empty or a comment.
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
    self.init(method: "step", parameters: JSONWriter.text { $0.array { $0.string(text) } })
    hasPlaces = true
  }

  private init(method: String, parameters: String?) {
    self.method = method
    self.parameters = parameters
  }
}

// MARK: - Help

struct ControlHelp {
  private let schema = StepSchema.installed

  /// Returns the help about the step or command in `words`, or an overview if `words` is empty. A name of both, `log`,
  /// has the help of both. Several words are an error.
  func text(_ words: [String]) throws(RunError) -> String {
    guard let word = words.first else { return overview }
    guard words.count == 1 else {
      throw RunError(
        .path("step"), "`help` needs one name, found \(words.count)", rule: "request")
    }
    let command = commands.first { $0.word == word }.map { "\(word)  \($0.text)\n" }
    let step = StepReader.words.contains(word) ? explanation(of: word) : nil
    let texts = [command, step].compactMap(\.self)
    guard !texts.isEmpty else { throw unknown(word) }
    return texts.joined(separator: "\n")
  }

  private var commands: [(word: String, text: String)] {
    ControlCall.commands + [
      (word: "help", text: "this list; help STEP: a step's keys, with an example"),
      (word: "exit", text: "leave the shell; the device keeps running"),
    ]
  }

  private var overview: String {
    let steps = StepReader.words.map { (word: $0, text: schema?.text(of: $0) ?? "") }
    return "Commands\n" + Self.rows(commands) + "\nSteps\n" + Self.rows(steps)
  }

  private func explanation(of step: String) -> String {
    let keys = (schema?.keys(of: step) ?? []).map { key in
      (word: key.name, text: (key.text ?? "") + key.requirement)
    }
    let example = schema?.example(of: step).map { "for example\n  \($0)\n" } ?? ""
    return "\(step)  \(schema?.text(of: step) ?? "")\n" + Self.rows(keys) + example
  }

  private static func rows(_ rows: [(word: String, text: String)]) -> String {
    TextColumns.lines(rows.map { [$0.word, $0.text] }, indent: 2).map { $0 + "\n" }.joined()
  }

  private func unknown(_ word: String) -> RunError {
    let known = commands.map(\.word) + StepReader.words
    let hint = Suggestion.text(StepReader.nearest(to: word, among: known))
    return RunError(
      .path("step"), "no step or command is called `\(word)`\(hint)", rule: "request")
  }
}

/// The part of the scenario schema that describes steps.
struct StepSchema {
  private let root: JSONValue

  struct Key {
    var name: String
    /// The description of the key; nil if the schema has none.
    var text: String?
    var isRequired: Bool

    /// The end of the key's line. Within an optional mapping such as `file`, a key is required only with the mapping.
    var requirement: String {
      guard isRequired else { return "" }
      guard let dot = name.lastIndex(of: ".") else { return " (required)" }
      return " (required with `\(name[..<dot])`)"
    }
  }

  /// The installed schema; nil if none is installed.
  static var installed: StepSchema? {
    guard let path = Installation.own.scenarioSchema,
      let data = FileManager.default.contents(atPath: path),
      let root = try? JSONReader.read(Array(data))
    else { return nil }
    return StepSchema(root: root)
  }

  private func property(_ step: String) -> JSONValue? {
    root["$defs"]?["step"]?["properties"]?[step]
  }

  /// Returns the schema of the step's value. A `$ref` is resolved.
  private func definition(_ step: String) -> JSONValue? {
    resolved(property(step))
  }

  private func resolved(_ value: JSONValue?) -> JSONValue? {
    let name = value?["$ref"]?.string.flatMap { $0.split(separator: "/").last.map(String.init) }
    return name.flatMap { root["$defs"]?[$0] } ?? value
  }

  /// Returns a phrase that states what the step does; empty if the schema has no description.
  func text(of step: String) -> String {
    (property(step)?["description"] ?? definition(step)?["description"])?.string ?? ""
  }

  /// Returns the keys that the step accepts; empty if it accepts none. Nested keys are joined by dots, such as
  /// `file.name`.
  func keys(of step: String) -> [Key] { keys(of: definition(step), below: "") }

  private func keys(of definition: JSONValue?, below path: String) -> [Key] {
    let mapping = mapping(in: definition)
    let required = mapping?["required"]?.array?.compactMap(\.string) ?? []
    return (mapping?["properties"]?.members ?? []).flatMap { member in
      let value = resolved(member.value)
      let inner = keys(of: value, below: "\(path)\(member.name).")
      guard inner.isEmpty else { return inner }
      let text = member.value["description"] ?? value?["description"]
      return [
        Key(
          name: path + member.name, text: text?.string, isRequired: required.contains(member.name))
      ]
    }
  }

  /// Returns the part of a definition that lists keys: the definition itself or the first suitable alternative in its
  /// `oneOf`. Nil if no part lists keys.
  private func mapping(in definition: JSONValue?) -> JSONValue? {
    let forms = definition?["oneOf"]?.array?.compactMap(resolved) ?? []
    return ([definition].compactMap(\.self) + forms).first { $0["properties"] != nil }
  }

  /// Returns an example of the step as command-line words; nil if the schema has none.
  func example(of step: String) -> String? {
    guard let value = property(step)?["examples"]?.array?.first else { return nil }
    return StepLine.words(of: step, value)
  }
}
