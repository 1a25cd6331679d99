internal import ArgumentParser
internal import Distribution
internal import Encodings
internal import Output
internal import Policy
internal import Replay
internal import Scenario
internal import Simulation

struct ReplayCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Decide a journal's requests again, by this version or under other policies.",
    discussion: """
      Reads the inputs of each decision from the journal and decides again, by this version's rules. With --policy, \
      shows which recorded requests other policies would block or allow, by setting, app and account, each with an \
      example and its line. The journal is not changed, and no process is started.

      In a folder written by `sluice run --output-dir`, each journal is decided separately, under the name of its \
      device and case. In JSON, each is one line.

      Exit status: 0 every decision is unchanged, 1 some are not, 2 a journal or policy is missing or cannot be \
      read, 64 usage.
      """)

  @Argument(
    help:
      "A journal, the name of a running device, the folder of a device, or a folder written by `sluice run --output-dir`.",
    completion: .runningDevices)
  var journal: String

  @Option(
    name: .shortAndLong,
    help: .policies(
      "They replace the recorded ones for accounts that had a policy."),
    completion: .file())
  var policy: [String] = []

  @Option(help: "Format of the report.")
  var format = TextFormat.text

  @OptionGroup var output: OutputOptions<TextFormat>

  @OptionGroup var wanted: CaseOption

  @OptionGroup var shards: ShardOptions

  func perform() throws(RunError) {
    try JournalArgument.checkIsNoScenario(journal)
    let paths = try JournalArgument.paths(journal, wanted.choice)
    guard paths.count == 1 else { return try replay(paths) }
    if let target = shards.cluster.executor {
      let targets = try output.targets(format).map(MergeFormat.init)
      return try shards.cluster.run(on: target) { MergedReport($0, to: targets) }
    }
    guard let results = try results(of: paths[0]) else { return }
    try output.write(format) { format, _ in results.text(format) }
    if !results.report.isSame { Self.exit(withError: Failure.expectation) }
  }

  func validate() throws {
    if isPiece, shards.blob == nil {
      throw ValidationError("--shard needs --blob: a shard of a journal has no report")
    }
  }

  /// Whether the command reads only a part of the journal, because it runs one of several shards.
  private var isPiece: Bool { shards.shard.map { $0.count > 1 } ?? false }

  /// Replays each of several journals. Exits with status 1 if any decision differs from the recorded one.
  private func replay(_ paths: [String]) throws(RunError) {
    guard !shards.isSplit else {
      throw RunError(
        .file(journal),
        "--shard, --blob and --executor take one journal, but there are \(paths.count) in the folder; choose one by --case, or name one, such as \(paths[0])",
        rule: "journal")
    }
    try output.check(isNoneOf: paths + policy.flatMap(InputFolder.files(at:)))
    let rollout = try ReplayResults.rollout(of: policy)
    var all: [(heading: String, results: ReplayResults)] = []
    for path in paths {
      let name = try JournalFile.caseName(of: path)
      let place = path.hasSuffix("/journal.jsonl") ? String(path.dropLast(14)) : path
      let results = try ReplayResults(
        path, [JournalExtract(of: path)], under: rollout, naming: name)
      all.append((KeptJournals.heading(place, name), results))
    }
    try output.write(
      format,
      text: all.map { "\($0.heading)\n\($0.results.text(.text))" }.joined(separator: "\n"),
      json: all.map { $0.results.text(.json) }.joined())
    if !all.allSatisfy(\.results.report.isSame) { Self.exit(withError: Failure.expectation) }
  }

  /// Replays the journal, and returns the results; nil if the command reads only one of several shards.
  private func results(of journal: String) throws(RunError) -> ReplayResults? {
    try output.check(isNoneOf: [journal] + policy.flatMap(InputFolder.files(at:)))
    let facts = ReplayFacts(journal: journal, policies: policy)
    let pieces = try JournalPiece.pieces(of: journal, count: shards.shard?.count ?? 1)
    let work = try shards.work(plan(pieces, facts))
    let extracts = try work.perform(by: ThreadPool(of: 1)) { number throws(RunError) in
      try JournalExtract(of: journal, pieces[number])
    }
    try work.end([:])
    return isPiece ? nil : try ReplayResults(facts, extracts.compactMap(\.self))
  }

  private func plan(_ pieces: [JournalPiece], _ facts: ReplayFacts) throws(RunError) -> Plan {
    let files = [facts.journal] + policy.flatMap(InputFolder.files(at:))
    return Plan(
      "replay", version: Version.text, options: policy.flatMap { ["--policy", $0] },
      files: shards.blob == nil ? [:] : try InputDigests.of(files: files),
      pieces: pieces.enumerated().map { number, piece in
        Piece(
          file: facts.journal, name: "piece \(number + 1) of \(pieces.count)",
          steps: pieces.count > 1 ? piece.bytes.count : 1)
      }, facts: facts.writeMembers)
  }
}

// MARK: - Results

/// The inputs of a replay: the journal's path, and the policies to use.
struct ReplayFacts: Sendable {
  var journal: String
  /// The paths of the policies that replace the recorded ones. If empty, the recorded policies apply.
  var policies: [String]

  init(journal: String, policies: [String]) {
    self.journal = journal
    self.policies = policies
  }

  init(of plan: Plan) {
    let facts = try? JSONReader.read(plan.facts)
    journal = facts?["journal"]?.string ?? ""
    policies = (facts?["policies"]?.array ?? []).compactMap(\.string)
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("journal", journal)
    writer.strings("policies", policies)
  }
}

/// The result of deciding a journal's requests again.
struct ReplayResults {
  let report: ReplayReport

  /// Decides the requests in the pieces of a journal again. Throws an error if an event between the pieces is missing.
  init(_ facts: ReplayFacts, _ pieces: [JournalExtract]) throws(RunError) {
    try self.init(facts.journal, pieces, under: Self.rollout(of: facts.policies))
  }

  /// Decides the requests in the pieces of a journal again.
  ///
  /// - Parameters:
  ///   - rollout: The policies that replace the recorded ones; nil to use the recorded ones.
  ///   - name: The name of the journal's case, for the report; nil if it has none.
  /// - Throws: ``RunError`` if an event between the pieces is missing, or if recorded facts are invalid.
  init(
    _ journal: String, _ pieces: [JournalExtract], under rollout: Rollout?,
    naming name: CaseName? = nil
  ) throws(RunError) {
    let replay = try Replay(of: journal, pieces)
    var report = try replay.report(under: rollout)
    report.caseName = name
    self.report = report
  }

  /// Loads the policies that replace the recorded ones. Returns nil if `policies`, a list of paths, is empty.
  static func rollout(of policies: [String]) throws(RunError) -> Rollout? {
    // These warnings are omitted, because the report itself states the effect of policies without
    // apps.
    policies.isEmpty
      ? nil
      : Rollout(try PolicyArguments.documents(policies, besides: [.noApps, .emptyAssignments]))
  }

  func text(_ format: TextFormat) -> String { format == .json ? report.json : report.text }
}
