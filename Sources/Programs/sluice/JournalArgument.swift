internal import ArgumentParser
internal import Encodings
internal import Foundation
internal import Model
internal import Output
internal import Scenario
internal import Simulation

/// A journal named on the command line.
enum JournalArgument {
  /// Returns the path of a journal.
  ///
  /// The argument may be a journal, a device's folder, or the name or control socket of a running device.
  static func path(_ argument: String) -> String {
    (try? WatchedDevice(argument))?.journal ?? argument
  }

  /// Returns the paths of all journals that an argument names: one, or for a folder
  /// left by a run, one per case.
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

  /// The journals of devices in a folder, or in its subfolders of cases with several devices.
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

  /// - Throws: ``RunError`` if the file is a scenario, which is often named by mistake
  ///   instead of its run's journal.
  static func checkIsNoScenario(_ path: String) throws(RunError) {
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml"),
      let text = try? ScenarioFiles.text(of: path),
      // Includes invalid scenarios. The lines of a journal are JSON objects.
      text.first(where: { !$0.isWhitespace }) != "{" || (try? ScenarioFiles.read(path)) != nil
    else { return }
    throw RunError(
      .file(path),
      "this is a scenario, not a journal; `sluice run \(path) --keep FOLDER` leaves a journal of each case",
      rule: "file")
  }

  /// - Throws: ``RunError`` if the output file is the journal at `path`.
  static func check(_ output: String?, isNot path: String) throws(RunError) {
    guard let output, TextFile.isSame(output, path) else { return }
    throw RunError(.file(output), "this is the journal, which is not written over", rule: "file")
  }
}

/// The journals named on the command line, of any number of devices and cases.
struct JournalArguments: ParsableArguments {
  @Argument(
    help:
      "Journals, names of running devices, folders of devices, or folders that `sluice run --keep` left.",
    completion: .runningDevices)
  var journals: [String]

  /// Reads journals as far as possible, grouped by case. Unreadable parts are reported on standard error.
  ///
  /// - Parameters:
  ///   - output: the output file, which must not be one of the journals; nil for standard output.
  ///   - note: also called with each report of missing parts.
  /// - Throws: ``RunError`` if a journal cannot be read, has no event, or would be overwritten.
  func read(
    writing output: String?, _ note: (String) -> Void = { _ in }
  ) throws(RunError) -> [RecordedGroup] {
    try kept(writing: output) { path throws(RunError) in
      let remains = try JournalFile.remains(of: path)
      if let missing = remains.note {
        Failure.print("note: \(missing)")
        note(missing)
      }
      return remains.events
    }.map { RecordedGroup($0.journals) }
  }

  /// Reads journals, grouped by case.
  ///
  /// - Parameters:
  ///   - output: the output file, which must not be one of the journals; nil for standard output.
  ///   - read: returns the events of the journal at a path.
  /// - Throws: ``RunError`` if `read` throws, or if a journal would be overwritten.
  func kept(
    writing output: String?, _ read: (String) throws(RunError) -> [JournalEvent]
  ) throws(RunError) -> [KeptJournals] {
    var kept: [KeptJournals] = []
    for path in journals.flatMap(JournalArgument.paths) {
      if !journals.contains(path) { try InputFile.requireRegular(path) }
      try JournalArgument.check(output, isNot: path)
      try JournalArgument.checkIsNoScenario(path)
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

/// The journals of a case's devices, or the journal of one device.
struct KeptJournals {
  private(set) var journals: [RecordedJournal]
  /// The path of the folder or file that contains them.
  private(set) var place: String
  /// The device of a case that may have others, and the folder that contains the devices' folders.
  ///
  /// The folder is nil if the journal is not in such a folder. The whole value is nil if the journal's path
  /// shows that the case has one device.
  private var member: (device: String, folder: String?)?

  init(_ events: [JournalEvent], at path: String) {
    let isInFolder = (path as NSString).lastPathComponent == "journal.jsonl"
    place = isInFolder && path.contains("/") ? (path as NSString).deletingLastPathComponent : path
    // `sluice run --keep-failures` writes the journals of several devices to one file.
    if let parts = events.byDevice {
      journals = parts.map { RecordedJournal(Array($0.events), name: "\(path), \($0.device)") }
      return
    }
    journals = [RecordedJournal(events, name: path)]
    // `sluice run --keep` names a device's folder after the device, and a case's folder by its number.
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    guard let device = events.device, !isInFolder || folder.lastPathComponent == device else {
      return
    }
    member = (device, isInFolder ? (place as NSString).deletingLastPathComponent : nil)
  }

  /// Whether the other journals are from another device of the same case.
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

  /// The name of the case; nil if the journals name none or several.
  var caseName: CaseName? {
    let names = journals.first?.events.caseNames ?? []
    return names.count == 1 ? names[0] : nil
  }

  /// The heading of a case if there are several.
  static func heading(_ place: String, _ name: CaseName?) -> String {
    (name.map { "\(place): \($0.text)" } ?? place).escapingUnprintable()
  }
}
