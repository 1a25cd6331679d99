internal import Diagnostics
internal import Foundation
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

  /// The journals that arguments mean, as far as they can be read. What cannot is told on standard error.
  ///
  /// - Parameters:
  ///   - output: the file that is to be written, which none of them may be; nil: standard output.
  ///   - note: is told what is missing, too.
  /// - Throws: ``RunError`` where one cannot be read, has no event, or would be written over.
  static func read(
    _ arguments: [String], writing output: String?, _ note: (String) -> Void = { _ in }
  ) throws(RunError) -> [RecordedJournal] {
    var journals: [RecordedJournal] = []
    for path in arguments.flatMap(paths) {
      try check(output, isNot: path)
      try checkIsNoScenario(path)
      let remains = try JournalFile.remains(of: path)
      if let missing = remains.note {
        Failure.print("note: \(missing)")
        note(missing)
      }
      journals.append(RecordedJournal(remains.events, name: path))
    }
    return journals
  }

  /// - Throws: ``RunError`` where the file is a scenario, which is often named in place of what a run of it leaves.
  static func checkIsNoScenario(_ path: String) throws(RunError) {
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml"), (try? ScenarioFiles.read(path)) != nil
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
