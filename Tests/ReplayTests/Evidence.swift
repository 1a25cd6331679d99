import Encodings
import Model
import TestSupport

@testable import Scenario

/// A public statement in `evidence` or `evidence-open`, with a run that shows whether it holds.
struct Evidence: Sendable {
  /// Where the statement was published.
  enum SourceKind: String, CaseIterable {
    case documentation
    case header
    case releaseNote = "release-note"
    case maintainer
    case deviceLog = "device-log"
    case report
  }

  /// What shows whether the statement holds.
  enum Run: Sendable {
    /// A request of `sluice decide`, under policies in Graph's format.
    case decide(policies: String, request: String, Answer)
    /// The text of a scenario whose cases all pass if the statement holds.
    case scenario(String)
    case activation(Activation, isOffered: Bool)
  }

  struct Answer: Sendable {
    var outcome: Outcome
    /// A rule that must be among the reasons; nil for any.
    var reason: Rule?
    /// The rule that must decide; nil for any.
    var decidedBy: Rule?
  }

  /// Shared content, and an extension that may be offered for it.
  struct Activation: Sendable {
    /// The `Info.plist` of the extension.
    var list: String
    /// The items, each with the types of its attachments.
    var items: [[[String]]]
    /// Whether a policy restricts the apps that receive the content.
    var isRestricted: Bool
  }

  let run: Run
  /// What the program answers instead; nil if the statement holds.
  let program: String?

  /// The files of a folder, sorted, relative to the repository's root.
  static func files(in folder: String) -> [String] {
    Repository.files(in: folder, suffix: ".yaml")
  }

  /// Reads a file. Unknown keys are errors.
  ///
  /// - Throws: ``ScenarioErrors`` with the positions in the file.
  init(_ file: String) throws {
    let text = try Repository.read(file)
    do throws(InputError) {
      try self.init(try YAMLReader.read(text))
    } catch {
      throw ScenarioErrors(error, file: file)
    }
  }

  private enum Key: String, FieldKey {
    case statement, source, versions, rules, settings, run, contested, program
  }

  private init(_ value: YAMLValue) throws(InputError) {
    let fields = try Fields<Key>(value, "a statement")
    let statement = try fields.required(.statement)
    guard try statement.text().hasSuffix(".") else {
      throw statement.mistake(.invalidValue, "a statement is a sentence and ends with a full stop")
    }
    try Self.check(source: try fields.required(.source))
    if let versions = fields[.versions] { try Self.check(versions: versions) }
    for rule in try fields[.rules]?.sequence() ?? [] { _ = try rule.word(of: Rule.self) }
    for setting in try fields[.settings]?.sequence() ?? [] {
      _ = try setting.word(of: Setting.self)
    }
    _ = try fields[.contested]?.text()
    run = try Self.run(try fields.required(.run))
    program = try fields[.program]?.text()
  }

  private enum SourceKey: String, FieldKey { case kind, at, title, date }

  private static func check(source value: YAMLValue) throws(InputError) {
    let fields = try Fields<SourceKey>(value, "a source")
    _ = try fields.required(.kind).word(of: SourceKind.self)
    let address = try fields.required(.at)
    guard try address.text().hasPrefix("https://") else {
      throw address.mistake(.invalidValue, "the address of a source begins with `https://`")
    }
    _ = try fields.required(.title).text()
    if let date = fields[.date] {
      guard try date.text().wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil else {
        throw date.mistake(.invalidValue, "a date is written as `2024-05-01`")
      }
    }
  }

  private enum VersionKey: String, FieldKey { case sdk, ios }

  private static func check(versions value: YAMLValue) throws(InputError) {
    let fields = try Fields<VersionKey>(value, "`versions`")
    for key in VersionKey.allCases {
      guard let version = fields[key] else { continue }
      guard try version.text().wholeMatch(of: /\d+(\.\d+)*/) != nil else {
        throw version.mistake(.invalidValue, "a version consists of numbers, such as `19.7.12`")
      }
    }
  }

  // MARK: Runs

  private enum RunKey: String, FieldKey {
    case policies, decide, verdict, reason, decidedBy, scenario, activation, offered
  }

  private static func run(_ value: YAMLValue) throws(InputError) -> Run {
    let fields = try Fields<RunKey>(value, "a run")
    if let scenario = fields[.scenario] {
      try refuseOthers(than: [.scenario], in: fields)
      return .scenario(try scenario.text())
    }
    if let activation = fields[.activation] {
      try refuseOthers(than: [.activation, .offered], in: fields)
      return .activation(
        try Self.activation(activation), isOffered: try fields.required(.offered).bool())
    }
    let request = try fields.required(.decide)
    try refuseOthers(than: [.decide, .policies, .verdict, .reason, .decidedBy], in: fields)
    let answer = Answer(
      outcome: try fields.required(.verdict).word(), reason: try fields[.reason]?.word(),
      decidedBy: try fields[.decidedBy]?.word())
    return .decide(
      policies: try InlineJSON.text(of: try fields.required(.policies)),
      request: try line(request), answer)
  }

  /// Checks that a run has only the keys of its form. The first key names the form.
  private static func refuseOthers(
    than form: [RunKey], in fields: Fields<RunKey>
  ) throws(InputError) {
    for other in RunKey.allCases where !form.contains(other) {
      try fields.rejectConflict(other, with: form[0])
    }
  }

  /// Returns a request as one line. Line breaks within its texts are escaped.
  private static func line(_ request: YAMLValue) throws(InputError) -> String {
    String(try InlineJSON.text(of: request).map { $0 == "\n" ? " " : $0 })
  }

  private enum ActivationKey: String, FieldKey { case plist, items, restricted, apart }

  private static func activation(_ value: YAMLValue) throws(InputError) -> Activation {
    let fields = try Fields<ActivationKey>(value, "an activation")
    // As for `sluice bundle activation --item`.
    let items = try fields.required(.items).texts().map { text in
      text.split(separator: "+").map { $0.split(separator: ",").map(String.init) }
    }
    let isApart = try fields[.apart]?.bool() ?? false
    return Activation(
      list: try fields.required(.plist).text(), items: isApart ? items : [items.flatMap(\.self)],
      isRestricted: try fields[.restricted]?.bool() ?? false)
  }
}
