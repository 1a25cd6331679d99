import Encodings
import Model
import TestSupport

@testable import Analysis
@testable import Scenario

/// A public statement in `evidence` or `evidence-open`, with a run that shows whether it holds.
struct Evidence: Sendable {
  /// The run that shows whether the statement holds.
  enum Run: Sendable {
    /// A request of `sluice decide`, under policies in Graph's format.
    case decide(policies: String, request: String, Answer)
    /// The text of a scenario whose cases all pass if the statement holds.
    case scenario(String)
    case activation(Activation, isOffered: Bool)
    /// A diagnostic log that has no other values than the policies.
    case log(String, policies: String)
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
    /// The types of each item's attachments.
    var items: [[[String]]]
    /// Whether a policy restricts the apps that receive the content.
    var isRestricted: Bool
  }

  let run: Run
  /// The statement as the program knows it.
  let statement: Statement

  /// The files of a folder, sorted, relative to the repository's root.
  static func files(in folder: String) -> [String] {
    Repository.files(in: folder, suffix: ".yaml")
  }

  /// Reads a file. Unknown keys are errors.
  ///
  /// - Throws: ``ScenarioErrors`` with the positions in the file.
  init(_ file: String) throws { try self.init(text: Repository.read(file), file: file) }

  /// Reads a file's text.
  ///
  /// - Throws: ``ScenarioErrors`` with the positions in the file.
  init(text: String, file: String) throws(ScenarioErrors) {
    do throws(InputError) {
      try self.init(try YAMLReader.read(text), file: String(file.dropLast(".yaml".count)))
    } catch {
      throw ScenarioErrors(error, file: file)
    }
  }

  private enum Key: String, FieldKey {
    case statement, source, versions, rules, settings, run, contested, program
  }

  private init(_ value: YAMLValue, file: String) throws(InputError) {
    let fields = try Fields<Key>(value, "a statement")
    let text = try fields.required(.statement)
    guard try text.text().hasSuffix(".") else {
      throw text.mistake(.invalidValue, "a statement is a sentence and ends with a full stop")
    }
    let versions = try fields[.versions].map { value throws(InputError) in
      try Self.versions(value)
    }
    run = try Self.run(try fields.required(.run))
    let program = try fields[.program]?.text()
    statement = Statement(
      source: try Self.source(try fields.required(.source)), file: file, text: try text.text(),
      rules: try Self.words(fields[.rules]), settings: try Self.words(fields[.settings]),
      channels: run.channels, statuses: run.statuses, sdk: versions?[.sdk], ios: versions?[.ios],
      contested: try fields[.contested]?.text(), program: program,
      expected: program.flatMap(run.expected))
  }

  private static func words<Word: RawRepresentable<String> & CaseIterable>(
    _ value: YAMLValue?
  ) throws(InputError) -> [Word] {
    var words: [Word] = []
    for word in try value?.sequence() ?? [] { words.append(try word.word(of: Word.self)) }
    return words
  }

  private enum SourceKey: String, FieldKey { case kind, at, title, date }

  private static func source(_ value: YAMLValue) throws(InputError) -> Statement.Source {
    let fields = try Fields<SourceKey>(value, "a source")
    let address = try fields.required(.at)
    guard try address.text().hasPrefix("https://") else {
      throw address.mistake(.invalidValue, "the address of a source begins with `https://`")
    }
    if let date = fields[.date] {
      guard try date.text().wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil else {
        throw date.mistake(.invalidValue, "a date is written as `2024-05-01`")
      }
    }
    return Statement.Source(
      kind: try fields.required(.kind).word(of: Statement.Kind.self),
      date: try fields[.date]?.text(), address: try address.text(),
      title: try fields.required(.title).text())
  }

  private enum VersionKey: String, FieldKey { case sdk, ios }

  private static func versions(
    _ value: YAMLValue
  ) throws(InputError) -> [VersionKey: String] {
    let fields = try Fields<VersionKey>(value, "`versions`")
    var versions: [VersionKey: String] = [:]
    for key in VersionKey.allCases {
      guard let version = fields[key] else { continue }
      guard try version.text().wholeMatch(of: /\d+(\.\d+)*/) != nil else {
        throw version.mistake(.invalidValue, "a version consists of numbers, such as `19.7.12`")
      }
      versions[key] = try version.text()
    }
    return versions
  }

  // MARK: Runs

  private enum RunKey: String, FieldKey {
    case policies, decide, verdict, reason, decidedBy, scenario, activation, offered, log
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
    if let log = fields[.log] {
      try refuseOthers(than: [.log, .policies], in: fields)
      return .log(
        try log.text(), policies: try InlineJSON.text(of: try fields.required(.policies)))
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

// MARK: - Subjects

extension Evidence.Run {
  /// The channels that the run uses.
  var channels: [Channel] {
    switch self {
    case .decide(_, let request, _):
      guard let request = try? JSONReader.read(request), request["launch"] == nil else { return [] }
      return Channel(named: request["channel"]?.string ?? "share").map { [$0] } ?? []
    case .scenario(let text):
      let words =
        text.matches(of: /(?m)^ *- (\w+):/).map { String($0.1) }
        + text.matches(of: /\bfeature: (\w+)/).map { String($0.1) }
      return Channel.allCases.filter { channel in
        words.contains { Channel(named: $0) == channel || $0 == channel.ownStep }
      }
    case .activation, .log: return []
    }
  }

  /// The names of the statuses of enrollment and compliance in the run.
  var statuses: [String] {
    guard case .scenario(let text) = self else { return [] }
    let words = Set(
      text.matches(of: /\b(?:status|enrollment|compliance): (\w+)/).map { String($0.1) })
    return EnrollmentStatus.allCases.filter {
      words.contains("\($0.rawValue)") || words.contains($0.name)
    }.map(\.name) + ComplianceStatus.allCases.map(\.name).filter(words.contains)
  }

  /// Returns the outcome that follows from a statement that does not hold; nil if the statement is not about an
  /// outcome.
  ///
  /// - Parameter program: The program's answer, which contradicts the statement.
  func expected(insteadOf program: String) -> Outcome? {
    switch self {
    case .decide(_, _, let answer): return answer.outcome
    case .scenario:
      guard let word = program.firstMatch(of: /^expected (?:verdict|end) (\w+),/)?.1 else {
        return nil
      }
      switch RequestEnd(rawValue: String(word)) {
      case .delivered: return .allowed
      case .deliveredEncrypted: return .encrypted
      case .refused: return .blocked
      case .undeliverable, .failed, nil: return Outcome(rawValue: String(word))
      }
    case .activation, .log: return nil
    }
  }
}

extension Channel {
  /// The step that uses only this channel; nil if there is none.
  fileprivate var ownStep: String? {
    guard let step = row.step, Self.allCases.count(where: { $0.row.step == step }) == 1 else {
      return nil
    }
    return step
  }
}
