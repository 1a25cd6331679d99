internal import ArgumentParser
internal import DeviceControl
internal import Encodings
internal import Foundation
internal import Model
internal import Output
internal import Scenario
internal import Simulation

enum JournalArgument {
  /// Returns the path of the journal that `argument` refers to: a journal, a device's folder, or the name or control
  /// socket of a running device.
  static func path(_ argument: String) -> String {
    (try? WatchedDevice(argument))?.journal ?? argument
  }

  /// Returns the paths of the journals that `argument` refers to: one journal, or those of all cases in a run's folder.
  ///
  /// - Parameter choice: Selects one case; nil for all cases.
  /// - Throws: ``RunError`` if `choice` matches no case, or several.
  static func paths(_ argument: String, _ choice: CaseChoice?) throws(RunError) -> [String] {
    let path = path(argument)
    let isFolder = path != argument && !FileManager.default.fileExists(atPath: path)
    let found = isFolder ? CaseJournal.all(in: argument) : []
    let journals =
      found.isEmpty
      ? [CaseJournal(path: path, place: path == argument ? path : argument)] : found
    guard let choice else { return journals.map(\.path) }
    return try choice.journals(among: journals, of: argument).map(\.path)
  }

  /// Checks that the file is not a scenario. Users often give the scenario in place of a journal that its run wrote.
  static func checkIsNoScenario(_ path: String) throws(RunError) {
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml"),
      let text = try? ScenarioFiles.text(of: path),
      // The check includes invalid scenarios. A journal's lines are JSON objects, so its first
      // character is `{`.
      text.first(where: { !$0.isWhitespace }) != "{" || (try? ScenarioFiles.read(path)) != nil
    else { return }
    throw RunError(
      .file(path),
      "this is a scenario, not a journal; `sluice run \(path) --output-dir FOLDER` writes a journal of each case",
      rule: "file")
  }

  /// Checks that no output file is the journal at `path`.
  static func check(_ outputs: [String], areNot path: String) throws(RunError) {
    for output in outputs where TextFile.isSame(output, path) {
      throw RunError(
        .file(output), "this is the journal, which cannot be overwritten; name another file",
        rule: "file")
    }
  }
}

/// The option `--case`, which selects a case in the folder of a run with several cases.
struct CaseOption: ParsableArguments {
  @Option(
    name: .customLong("case"),
    help: ArgumentHelp(
      "In a folder of several cases: the number of a case, or a part of its name, ignoring case.",
      valueName: "case"))
  var text: String?

  var choice: CaseChoice? { text.map(CaseChoice.init) }

  /// Returns the path of a scenario. If `argument` is the folder of a run, it is that run's scenario; otherwise,
  /// `argument` itself.
  ///
  /// - Throws: ``RunError`` if the run's scenario is unknown, or if `--case` is given and `argument` is not the folder
  ///   of a run.
  func scenario(_ argument: String) throws(RunError) -> String {
    if let scenario = try RunIndex.scenario(of: argument, choice) { return scenario }
    guard let text else { return argument }
    throw RunError(
      .file(argument),
      "`--case \(text)` chooses a case in a results folder, but this is not a results folder",
      rule: "case")
  }
}

/// The arguments of a command that reads journals. The journals can come from several devices and cases.
struct JournalArguments: ParsableArguments {
  @Argument(
    help:
      "Journals, names of running devices, folders of devices, or folders written by `sluice run --output-dir`.",
    completion: .runningDevices)
  var journals: [String]

  @OptionGroup var wanted: CaseOption

  /// Reads the journals, grouped by case. If a part of a journal is unreadable, reads the rest and prints a note to
  /// standard error.
  ///
  /// - Parameters:
  ///   - outputs: The output files. None may be a journal that is read.
  ///   - note: Gets each printed note.
  /// - Throws: ``RunError`` if a journal cannot be read, has no event, or would be overwritten.
  func read(
    writing outputs: [String], _ note: (String) -> Void = { _ in }
  ) throws(RunError) -> [RecordedGroup] {
    let kept = try kept(writing: outputs) { path throws(RunError) in
      let remains = try JournalFile.remains(of: path)
      if let missing = remains.note {
        Failure.print("note: \(missing)")
        note(missing)
      }
      return remains.events
    }
    return zip(kept, RunIndex.durations(of: kept.map(\.place))).map {
      RecordedGroup($0.journals, lasting: $1)
    }
  }

  /// Reads the journals with `read`, and groups them by case.
  ///
  /// - Parameters:
  ///   - outputs: The output files. None may be a journal that is read.
  ///   - read: Returns the events of the journal at a path.
  /// - Throws: ``RunError`` if an argument leads to no journal or is a scenario, no case matches `--case`, `read`
  ///   throws, or a journal would be overwritten.
  func kept(
    writing outputs: [String], _ read: (String) throws(RunError) -> [JournalEvent]
  ) throws(RunError) -> [KeptJournals] {
    for argument in journals { try JournalArgument.checkIsNoScenario(argument) }
    var paths: [String] = []
    for argument in journals { paths += try JournalArgument.paths(argument, wanted.choice) }
    var kept: [KeptJournals] = []
    for path in paths {
      if !journals.contains(path) { try InputFile.requireRegular(path) }
      try JournalArgument.check(outputs, areNot: path)
      let next = KeptJournals(try read(path), at: path)
      if let index = kept.lastIndex(where: { $0.isOfSameCase(as: next) }) {
        kept[index].add(next)
      } else {
        kept.append(next)
      }
    }
    return kept
  }
}

/// The journals of one case, from one or several of its devices.
struct KeptJournals {
  private(set) var journals: [RecordedJournal]
  /// The path of the file with the journals, or of the folder that contains them.
  private(set) var place: String
  /// The device of the journal, and the folder of the case, which contains a folder for each device.
  ///
  /// `folder` is nil if the journal is not in a device's folder. The value is nil if the journal's path shows that the
  /// case has only one device.
  private var member: (device: String, folder: String?)?

  init(_ events: [JournalEvent], at path: String) {
    let isInFolder = (path as NSString).lastPathComponent == "journal.jsonl"
    place = isInFolder && path.contains("/") ? (path as NSString).deletingLastPathComponent : path
    // `sluice run --keep-failures` writes the journals of several devices to a single file.
    if let parts = events.byDevice {
      journals = parts.map { RecordedJournal(Array($0.events), name: "\(path), \($0.device)") }
      return
    }
    journals = [RecordedJournal(events, name: path)]
    // `sluice run --output-dir` names a device's folder after the device, and a case's folder by its number.
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    guard let device = events.device, !isInFolder || folder.lastPathComponent == device else {
      return
    }
    member = (device, isInFolder ? (place as NSString).deletingLastPathComponent : nil)
  }

  /// Returns whether `other` contains the journal of another device of the same case.
  fileprivate func isOfSameCase(as other: Self) -> Bool {
    guard let member, let next = other.member, let first = journals.first else { return false }
    return member.folder == next.folder && !journals.contains { $0.events.device == next.device }
      && first.events.caseNames == other.journals.first?.events.caseNames
  }

  mutating func add(_ other: Self) {
    journals += other.journals
    let folder = member?.folder ?? ""
    place = folder.isEmpty ? "\(place), \(other.place)" : folder
  }

  /// The name of the case; nil if the journals contain no case name, or several.
  var caseName: CaseName? {
    let names = journals.first?.events.caseNames ?? []
    return names.count == 1 ? names[0] : nil
  }

  /// Returns the heading of a case's output, for output about several cases.
  static func heading(_ place: String, _ name: CaseName?) -> String {
    (name.map { "\(place): \($0.text)" } ?? place).escapingUnprintable()
  }
}
