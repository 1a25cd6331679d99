internal import ArgumentParser
internal import Distribution
internal import Encodings
internal import JSON
internal import Leaks
internal import Model
internal import Output
internal import Reports
internal import Scenario
internal import Simulation

/// The modelling language for a search's states and moves.
enum ModelLanguage: String, CaseIterable, ExpressibleByArgument {
  case promela, murphi
}

struct Leaks: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "leaks",
    abstract:
      "Find every way by which data of managed accounts can leave the organisation, over any number of hops.",
    discussion: """
      Searches the world of a scenario, its apps, accounts and policies, not its cases, or with --apps that of one \
      user who has the listed apps under a policy, or a folder of them: all states that data can \
      reach by what the policies let through. For each app, account and place without policy that data reach, it \
      shows the shortest way, with the rules that let the data through and what would stop them. \
      No process is started, unless --verify replays each way on real ones. Data that are out are not followed further; \
      --to APP asks whether data can reach that app by any way, also through apps and locations without a policy.

      Exit status: 0 no leak, or no app after --to is reached, 1 there are some, or one is reached, 2 the scenario or a \
      file that it names is invalid or cannot be read, or no policy is for an account in any of its apps, 64 usage, 70 \
      real processes do not have a leak that was found, which is a fault of Sluice.
      """)

  @Argument(
    help:
      "The scenario whose world is searched, - for standard input; with --apps a policy as Microsoft Graph exports it, or a folder of exports.",
    completion: .file())
  var world: String

  @Option(
    help: ArgumentHelp(
      "A file with the apps of one user's device, a line each: `com.contoso.mail: managed`, `multiIdentity` with a private account beside, or `unmanaged`; in place of the bundle id the path of a bundle will do.",
      valueName: "file"), completion: .file())
  var apps: String?

  @Option(
    help:
      "What apps do with what they were handed: honest ones hand it on under its tag, careless ones let their users type it in anew, too, and hostile ones also what they remember of an account that has gone."
  )
  var behaviour = LeakSearch.Behaviour.careless

  @Option(
    help:
      "Who signs in to apps, and out of them: any account that their configurations let in, or nobody beside those that the world states."
  )
  var signIns = SignInChoice.any

  @Option(
    help:
      "On which devices: that of the world, or also each that differs in MDM enrollment, network, or the SDK's release in its apps."
  )
  var device = DeviceChoice.stated

  @Option(
    help: ArgumentHelp(
      "Ask whether data reach this app, also once they are out: REACHED by a way, or NOT REACHED; can be repeated.",
      valueName: "app"))
  var to: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --to: the app in which the data begin; can be repeated. Without it they begin in every other app.",
      valueName: "app"))
  var from: [String] = []

  @Flag(
    help:
      "Replay each leak, or each way to the apps after --to, on real processes, with a text that nobody else has."
  )
  var verify = false

  @Option(
    help: ArgumentHelp(
      "Write a scenario with a case for each leak, or each way to the apps after --to, on the world's own device to this file.",
      valueName: "file"), completion: .file())
  var witness: String?

  @Option(
    help: ArgumentHelp(
      "A share that what closes leaks must leave possible, such as mail:notes; can be repeated.",
      valueName: "from:to"))
  var keep: [String] = []

  @Option(
    help: ArgumentHelp(
      "Show what is new and what is closed against this world, or these policies; only what is new counts for the exit status.",
      valueName: "world"), completion: .file())
  var against: String?

  @Option(
    help:
      "Print the states and moves of the search, unreduced, for a model checker instead of what was found: promela for SPIN, murphi for Rumur."
  )
  var emit: ModelLanguage?

  @Option(
    help:
      "Format of the leaks; sarif has each at the line of the setting that lets the data out, junit a case that fails for each, html is a page."
  )
  var format = LeakFormat.text

  @OptionGroup var shards: ShardOptions

  func validate() throws {
    if shards.isSplit {
      guard verify else {
        throw ValidationError(
          "the search takes moments, and every part makes it: --shard and --blob are for what --verify replays."
        )
      }
      guard against == nil, world != "-" else {
        throw ValidationError("parts of a run need files, and no --against.")
      }
    }
    for flow in keep where flow.split(separator: ":").count != 2 {
      throw ValidationError("--keep needs two apps, as in mail:notes, not `\(flow)`.")
    }
    if to.isEmpty, !from.isEmpty {
      throw ValidationError("--from needs --to, the app that is asked about.")
    }
    if !to.isEmpty { try validateQuery() }
    if against != nil, format != .text { throw ValidationError("--against is text.") }
    if emit != nil, device == .any {
      throw ValidationError("--emit prints the model of the world's own device.")
    }
    if emit != nil, verify || witness != nil || against != nil || format != .text {
      throw ValidationError(
        "--emit prints a model alone, without --verify, --witness, --against and --format.")
    }
  }

  /// Rejects options of the search for all leaks.
  private func validateQuery() throws {
    if against != nil {
      throw ValidationError(
        "--against compares all places that data reach; to compare --to, ask it of each world.")
    }
    if emit != nil {
      throw ValidationError(
        "--emit prints the search for all leaks, which follows nothing that is out; --to does.")
    }
    if !keep.isEmpty {
      throw ValidationError("--keep limits the changes that close leaks; --to proposes none.")
    }
  }

  func perform() throws(RunError) {
    if let target = shards.cluster.on {
      return try shards.cluster.run(on: target) { MergedReport($0, MergeFormat(format)) }
    }
    let isClean = try Workshop.use { settings throws(RunError) in
      let run = ScenarioRun(settings)
      let study = try study(of: world, keeping: flows, by: run)
      if let emit {
        print(emit == .promela ? study.model.promela : study.model.murphi, terminator: "")
        return true
      }
      if let witness, let text = try study.witnesses(for: witness) {
        try TextFile.write(text, to: witness)
      }
      if verify { try replay(study, by: run) }
      return try show(study.report, by: run)
    }
    if !isClean { Self.exit(withError: Failure.expectation) }
  }

  private var flows: [LeakSearch.Flow] {
    keep.map { $0.split(separator: ":").map(String.init) }
      .map { LeakSearch.Flow(from: $0[0], to: $0[1]) }
  }

  /// Searches a scenario, or the listed apps under policies.
  private func study(
    of world: String, keeping flows: [LeakSearch.Flow], by run: ScenarioRun
  ) throws(RunError) -> LeakStudy {
    let query = to.isEmpty ? nil : LeakQuery(from: from, to: to)
    let question = LeakQuestion(behaviour, signIns, device, keeping: flows, asking: query)
    guard let apps else {
      return try LeakStudy(of: world, question, by: run)
    }
    return try LeakStudy(of: apps, under: world, question, by: run)
  }

  /// Prints the leaks, or the differences from the baseline; returns true if no leak counts.
  private func show(_ report: LeakReport, by run: ScenarioRun) throws(RunError) -> Bool {
    guard let against else {
      print(format.render(report, of: world), terminator: "")
      return report.isClean
    }
    let old = try study(of: against, keeping: [], by: run).report
    let comparison = LeakComparison(report, against: old)
    print(comparison.text, terminator: "")
    return comparison.new.isEmpty
  }

  /// Replays this shard's leaks on real processes.
  ///
  /// - Throws: ``RunError`` if a leak cannot be reproduced, or if the blob cannot be written.
  private func replay(_ study: LeakStudy, by run: ScenarioRun) throws(RunError) {
    let witnesses = try study.witnesses(by: run)
    let facts = LeakFacts(study.report, of: world)
    let plan = Plan(
      "leaks", version: Version.text, options: options,
      files: shards.blob == nil ? [:] : try InputDigests.of(files: study.inputFiles),
      pieces: witnesses.map { Piece(file: world, name: $0.name, steps: $0.steps) },
      facts: shards.blob == nil ? { _ in } : facts.writeMembers)
    let work = try shards.work(plan)
    let recordings = try work.perform(by: Crew(of: 1)) { number throws(RunError) in
      try witnesses[number].replay(by: run, number: number + 1)
    }
    if shards.blob != nil { try work.end(facts.picture().texts) }
    try LeakReplay(plan, recordings).check(world)
  }

  /// The arguments that affect the results.
  private var options: [String] {
    [
      "--behaviour", behaviour.rawValue, "--sign-ins", signIns.rawValue, "--device",
      device.rawValue,
    ] + keep.flatMap { ["--keep", $0] } + to.flatMap { ["--to", $0] }
      + from.flatMap { ["--from", $0] } + (apps.map { ["--apps", $0] } ?? [])
  }
}

// MARK: - Reports

enum LeakFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, sarif, junit, html

  /// - Parameter world: the file that was searched.
  func render(_ report: LeakReport, of world: String) -> String {
    switch self {
    case .text: report.text
    case .json: report.json
    case .sarif: LintOptions.Format.sarif.render(report.findings(in: world))
    case .junit: report.junit(of: world)
    case .html: Self.picture(of: report, world).page()
    }
  }

  static func title(of world: String) -> String { "Ways out of \(world)" }

  private static func picture(of report: LeakReport, _ world: String) -> Picture {
    var picture = Picture(title: title(of: world), reading: CitedFiles(.anywhere).text)
    let reasons = report.leaks.flatMap(\.hops).flatMap(\.verdicts).flatMap(\.reasons)
    picture.add(leaks: report.json, citing: reasons.compactMap(\.source))
    return picture
  }
}

/// The results of a leak search, which are the same in every shard.
struct LeakFacts {
  /// The file that was searched.
  var world: String
  /// The report in each data format. Pages are rendered from these.
  private var reports: [LeakFormat: String]
  /// Returns the text of a file that the report names; nil if it may not be shown.
  private var text: (String) -> String?

  private static let kept: [LeakFormat] = [.text, .json, .sarif, .junit]

  init(_ report: LeakReport, of world: String) {
    self.world = world
    reports = Dictionary(
      uniqueKeysWithValues: Self.kept.map { ($0, $0.render(report, of: world)) })
    text = CitedFiles(.anywhere).text
  }

  /// Reads the facts from a plan.
  ///
  /// - Parameter texts: the texts of files that the report names, keyed by path.
  init(of plan: Plan, reading texts: [String: String]) {
    let facts = try? JSONReader.read(plan.facts)
    world = facts?["world"]?.string ?? ""
    reports = [:]
    for format in Self.kept { reports[format] = facts?["reports"]?[format.rawValue]?.string }
    text = { texts[$0] }
  }

  /// Returns the leaks as printed by `sluice leaks --format json`.
  ///
  /// - Throws: ``RunError`` if the report is not of this form.
  func found() throws(RunError) -> FoundLeaks { try FoundLeaks(reports[.json] ?? "", of: world) }

  /// Returns the report. In text, unprintable characters are escaped.
  func rendered(_ format: LeakFormat) throws(RunError) -> String {
    let report = reports[format] ?? ""
    switch format {
    case .text: return report.escapingUnprintable(except: ["\n"])
    case .json, .sarif, .junit: return report
    case .html: return try picture().page()
    }
  }

  /// Returns the page of the leaks, without a run.
  func picture() throws(RunError) -> Picture {
    var picture = Picture(title: LeakFormat.title(of: world), reading: text)
    try found().add(to: &picture)
    return picture
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("world", world)
    writer.object("reports") { writer in
      for format in Self.kept {
        writer.member(named: format.rawValue) { $0.string(reports[format] ?? "") }
      }
    }
  }
}

/// Leaks as printed by `sluice leaks --format json`.
struct FoundLeaks {
  private let path: String
  private let json: String
  /// The `file:line` locations of the settings that let data through.
  private var places: [String] = []
  /// Whether there are no leaks.
  private(set) var isEmpty = true

  /// Reads a printed report.
  ///
  /// - Parameter path: the file; `-` for standard input.
  /// - Throws: ``RunError`` if the file cannot be read or is not such a report.
  init(at path: String) throws(RunError) {
    try self.init(
      path == "-" ? try InputFile.standardInput() : try InputFile.documentText(path), of: path)
  }

  /// Parses a printed report.
  ///
  /// - Parameter path: the name to use in messages.
  /// - Throws: ``RunError`` if the text is not such a report.
  init(_ json: String, of path: String) throws(RunError) {
    self.path = path
    self.json = json
    let report: JSONValue
    do {
      report = try JSONReader.read(json)
    } catch {
      throw RunError(
        .file(path, error.position),
        "\(error.message); expected what `sluice leaks --format json` prints",
        rule: "json")
    }
    try check(report)
    isEmpty = report["leaks"]?.array?.isEmpty ?? true
    collectPlaces(in: report)
  }

  /// Adds the leaks to a picture.
  func add(to picture: inout Picture) { picture.add(leaks: json, citing: places) }

  // MARK: Checks

  private func check(_ report: JSONValue) throws(RunError) {
    guard let leaks = report["leaks"]?.array, report["search"]?.members != nil else {
      throw wrong(report, "no `leaks` and `search`")
    }
    for leak in leaks {
      guard leak["owner"]?.string != nil, leak["sink"]?.string != nil,
        let hops = leak["hops"]?.array, !hops.isEmpty
      else { throw wrong(leak, "a way without `owner`, `sink` or `hops`") }
      for hop in hops where hop["app"]?.string == nil || hop["action"]?.string == nil {
        throw wrong(hop, "a hop without `app` or `action`")
      }
    }
  }

  private func wrong(_ value: JSONValue, _ found: String) -> RunError {
    RunError(
      .file(path, value.position),
      "found \(found); expected what `sluice leaks --format json` prints", rule: "leaks")
  }

  private mutating func collectPlaces(in value: JSONValue) {
    for element in value.array ?? [] { collectPlaces(in: element) }
    for member in value.members ?? [] {
      if member.name == "source", let place = member.value.string { places.append(place) }
      collectPlaces(in: member.value)
    }
  }
}

// MARK: - Replay

/// The leaks replayed on real processes, in one shard or in total.
struct LeakReplay {
  private let report: Report
  private let count: Int

  /// Creates the replays of one shard.
  ///
  /// - Parameter recordings: one per piece of the plan; nil for another shard's pieces.
  init(_ plan: Plan, _ recordings: [CaseRecording?]) {
    var builder = ReportBuilder()
    for (piece, recording) in zip(plan.pieces, recordings) {
      if let recording { builder.add(recording, file: piece.file) }
    }
    report = builder.report
    count = recordings.count { $0 != nil }
  }

  /// Checks that every leak was reproduced, and prints their number.
  ///
  /// - Parameter world: the file that was searched.
  /// - Throws: ``RunError`` if a leak was not reproduced.
  func check(_ world: String) throws(RunError) {
    guard !report.isPassed else {
      return Failure.print(
        "leaks that were replayed on real processes, which have all of them: \(count)")
    }
    print(report.text(), terminator: "")
    throw RunError(
      .file(world), "real processes do not have each leak that was found", rule: "leaks",
      fault: .own)
  }
}
