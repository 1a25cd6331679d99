internal import Encodings
internal import Foundation
internal import Model
internal import Output
internal import Scenario
internal import Simulation

/// A journal that a command line names.
enum JournalArgument {
  /// The journal's path: in a device's folder it has its name; a device that is up is found by its name and its control
  /// socket, too.
  static func path(_ argument: String) -> String {
    (try? WatchedDevice(argument))?.journal ?? argument
  }

  /// The paths of all journals that the argument means: one or, of a folder that a run left, that of each case.
  static func paths(_ argument: String) -> [String] {
    let files = FileManager.default
    let path = path(argument)
    guard path != argument, !files.fileExists(atPath: path) else { return [path] }
    let devices = devices(in: argument)
    let folder = "\(argument)/journals"
    let kept = ((try? files.contentsOfDirectory(atPath: folder)) ?? []).sorted()
      .filter { $0.hasSuffix(".jsonl") }.map { "\(folder)/\($0)" }
    let found = devices + kept
    return found.isEmpty ? [path] : found
  }
}

extension JournalArgument {
  /// The journals of the devices whose folders are in a folder, or in the folders of cases of several devices there.
  private static func devices(in folder: String, deeper: Int = 1) -> [String] {
    let files = FileManager.default
    let names = ((try? files.contentsOfDirectory(atPath: folder)) ?? [])
      .sorted { ($0.count, $0) < ($1.count, $1) }
    return names.flatMap { name -> [String] in
      let journal = "\(folder)/\(name)/journal.jsonl"
      if files.fileExists(atPath: journal) { return [journal] }
      return deeper > 0 ? devices(in: "\(folder)/\(name)", deeper: deeper - 1) : []
    }
  }

  /// The journals that arguments mean, those of one case together, as far as they can be read. What cannot is told on
  /// standard error.
  ///
  /// - Parameters:
  ///   - output: the file that is to be written, which none of them may be; nil: standard output.
  ///   - note: is told what is missing, too.
  /// - Throws: ``RunError`` where one cannot be read, has no event, or would be written over.
  static func read(
    _ arguments: [String], writing output: String?, _ note: (String) -> Void = { _ in }
  ) throws(RunError) -> [RecordedGroup] {
    try kept(arguments, writing: output) { path throws(RunError) in
      let remains = try JournalFile.remains(of: path)
      if let missing = remains.note {
        Failure.print("note: \(missing)")
        note(missing)
      }
      return remains.events
    }.map { RecordedGroup($0.journals) }
  }

  /// The journals that arguments mean, those of one case together.
  ///
  /// - Parameters:
  ///   - output: the file that is to be written, which none of them may be; nil: standard output.
  ///   - read: the events of the journal at a path.
  /// - Throws: ``RunError`` where `read` throws, or a journal would be written over.
  static func kept(
    _ arguments: [String], writing output: String?,
    _ read: (String) throws(RunError) -> [JournalEvent]
  ) throws(RunError) -> [KeptJournals] {
    var kept: [KeptJournals] = []
    for path in arguments.flatMap(paths) {
      if !arguments.contains(path) { try InputFile.requireRegular(path) }
      try check(output, isNot: path)
      try checkIsNoScenario(path)
      let next = KeptJournals(try read(path), at: path)
      if let index = kept.lastIndex(where: { $0.isOfSameCase(as: next) }) {
        kept[index].add(next)
      } else {
        kept.append(next)
      }
    }
    return kept
  }

  /// - Throws: ``RunError`` where the file is a scenario, which is often named in place of what a run of it leaves.
  static func checkIsNoScenario(_ path: String) throws(RunError) {
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml"),
      let text = try? ScenarioFiles.text(of: path),
      // Also one with a mistake; a journal's lines are objects.
      text.first(where: { !$0.isWhitespace }) != "{" || (try? ScenarioFiles.read(path)) != nil
    else { return }
    throw RunError(
      .file(path),
      "this is a scenario, not a journal; `sluice run \(path) --keep FOLDER` leaves a journal of each case",
      rule: "file")
  }

  /// - Throws: ``RunError`` where what is to be written is the journal at `path`.
  static func check(_ output: String?, isNot path: String) throws(RunError) {
    guard let output, TextFile.isSame(output, path) else { return }
    throw RunError(.file(output), "this is the journal, which is not written over", rule: "file")
  }
}

/// The journals of the devices of a case, or the journal of one device.
struct KeptJournals {
  private(set) var journals: [RecordedJournal]
  /// The path of the folder or file that they are in.
  private(set) var place: String
  /// The device of a case that may have others, and the path of the folder that the devices' folders are in, nil for a
  /// journal that is in no such folder. Nil where the journal's place tells that its device was alone in the case.
  private var member: (device: String, folder: String?)?

  init(_ events: [JournalEvent], at path: String) {
    let isInFolder = (path as NSString).lastPathComponent == "journal.jsonl"
    place = isInFolder && path.contains("/") ? (path as NSString).deletingLastPathComponent : path
    // As `sluice run --keep-failures` leaves those of several devices: in one file.
    if let parts = events.byDevice {
      journals = parts.map { RecordedJournal(Array($0.events), name: "\(path), \($0.device)") }
      return
    }
    journals = [RecordedJournal(events, name: path)]
    // `sluice run --keep` names the folder of a device after it, and that of a case by its number.
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    guard let device = events.device, !isInFolder || folder.lastPathComponent == device else {
      return
    }
    member = (device, isInFolder ? (place as NSString).deletingLastPathComponent : nil)
  }

  /// Whether other journals are those of another device of the same case.
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

  /// The name of the case; nil where the journals tell of none or of several.
  var caseName: CaseName? {
    let names = journals.first?.events.caseNames ?? []
    return names.count == 1 ? names[0] : nil
  }

  /// The line before what is told of the case where several are.
  static func heading(_ place: String, _ name: CaseName?) -> String {
    (name.map { "\(place): \($0.text)" } ?? place).escapingUnprintable()
  }
}
