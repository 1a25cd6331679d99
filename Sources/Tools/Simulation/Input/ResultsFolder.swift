internal import Encodings
internal import Foundation
internal import Output
package import Scenario

/// A device's journal of a case, found in the output of a run.
///
/// A run writes `N/journal.jsonl` for each case, `N/DEVICE/journal.jsonl` if the case has several devices,
/// and `journals/N.jsonl` for each failure that it keeps.
package struct CaseJournal: Sendable, Equatable {
  package let path: String
  /// The folder of the case, or the journal's path if the journal is not in a case's folder.
  package let place: String

  package init(path: String, place: String) {
    self.path = path
    self.place = place
  }

  /// The number of the case, which is the name of its folder or file; nil if the name is not a number.
  package var number: Int? {
    let name = (place as NSString).lastPathComponent
    return Int(name.hasSuffix(".jsonl") ? String(name.dropLast(6)) : name)
  }

  /// Returns the journals in a folder and its subfolders, ordered by case and device. Empty if there are none.
  package static func all(in folder: String) -> [CaseJournal] {
    let files = FileManager.default
    let own = "\(folder)/journal.jsonl"
    if files.fileExists(atPath: own) { return [CaseJournal(path: own, place: folder)] }
    let cases = names(in: folder).flatMap { name -> [CaseJournal] in
      let place = "\(folder)/\(name)"
      let own = "\(place)/journal.jsonl"
      if files.fileExists(atPath: own) {
        // Cases have numbers, and the devices of a case have names.
        return [CaseJournal(path: own, place: Int(name) == nil ? folder : place)]
      }
      return names(in: place).map { "\(place)/\($0)/journal.jsonl" }
        .filter { files.fileExists(atPath: $0) }.map { CaseJournal(path: $0, place: place) }
    }
    let failures = names(in: "\(folder)/journals").filter { $0.hasSuffix(".jsonl") }
      .map { "\(folder)/journals/\($0)" }.map { CaseJournal(path: $0, place: $0) }
    return cases + failures
  }

  /// Returns the names in a folder, ordered so `2` comes before `10`.
  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .sorted { ($0.count, $0) < ($1.count, $1) }
  }
}

// MARK: - Choosing a case

/// A user's choice of a case by its number, its name or a part of its name, in any casing.
package struct CaseChoice: Sendable {
  private let text: String

  package init(_ text: String) { self.text = text }

  fileprivate struct Candidate {
    var place: String
    var number: Int?
    var name: CaseName?

    /// The case in messages, such as ``3 `an item arrives` ``.
    var title: String {
      let name = name.map { " `\($0.name)`" } ?? ""
      return (number.map(String.init) ?? place) + name
    }
  }

  /// Returns the journals of the chosen case.
  ///
  /// - Parameter argument: The command-line argument that names the journals.
  /// - Throws: ``RunError`` if no case matches, several match, or a journal cannot be read.
  package func journals(
    among all: [CaseJournal], of argument: String
  ) throws(RunError) -> [CaseJournal] {
    var candidates: [Candidate] = []
    for journal in all where candidates.last?.place != journal.place {
      candidates.append(
        Candidate(
          place: journal.place, number: journal.number,
          name: try JournalFile.caseName(of: journal.path)))
    }
    let chosen = try choose(among: candidates, of: argument)
    return all.filter { $0.place == chosen.place }
  }

  /// Returns the scenario of the chosen case, without its other cases. Cases are numbered across the
  /// scenarios, as in the folder of a run.
  ///
  /// - Parameter argument: The command-line argument that names the scenarios.
  /// - Throws: ``RunError`` if no case matches or several match.
  package func scenario(
    among scenarios: [Scenario], of argument: String
  ) throws(RunError) -> Scenario {
    let cases = scenarios.flatMap { scenario in scenario.cases.map { (scenario, $0) } }
    let candidates = RunIndex(cases).entries.map {
      Candidate(place: "", number: $0.number, name: $0.name)
    }
    let chosen = try choose(among: candidates, of: argument)
    var (scenario, test) = cases[(chosen.number ?? 1) - 1]
    scenario.cases = [test]
    return scenario
  }

  fileprivate func entries(
    among entries: [RunIndex.Entry], of argument: String
  ) throws(RunError) -> [RunIndex.Entry] {
    let candidates = entries.map { Candidate(place: "", number: $0.number, name: $0.name) }
    let chosen = try choose(among: candidates, of: argument)
    return entries.filter { $0.number == chosen.number }
  }

  private func choose(
    among candidates: [Candidate], of argument: String
  ) throws(RunError) -> Candidate {
    let matches = matches(among: candidates)
    guard let first = matches.first else {
      throw RunError(
        .path(argument),
        "no case is called `\(text)`; the cases are \(Self.list(candidates))", rule: "case")
    }
    guard matches.count == 1 else {
      throw RunError(
        .path(argument),
        "`\(text)` is in the names of \(matches.count) cases: \(Self.list(matches)); choose one by its number",
        rule: "case")
    }
    return first
  }

  /// Returns the cases with the chosen number. If there are none, returns the cases with the chosen name. If there are
  /// none either, returns the cases with names that contain the chosen text.
  private func matches(among candidates: [Candidate]) -> [Candidate] {
    if let number = Int(text) {
      let numbered = candidates.filter { $0.number == number }
      if !numbered.isEmpty { return numbered }
    }
    let wanted = text.lowercased()
    let exact = candidates.filter { candidate in
      candidate.name.map { [$0.name, $0.text].map { $0.lowercased() }.contains(wanted) } ?? false
    }
    guard exact.isEmpty else { return exact }
    return candidates.filter { $0.name?.text.lowercased().contains(wanted) ?? false }
  }

  /// The maximum number of cases that a message lists.
  private static let mostListed = 20

  private static func list(_ candidates: [Candidate]) -> String {
    ListFormat.first(mostListed, of: candidates.map(\.title))
  }
}

// MARK: - The index

/// The cases of a run, stored as `run.json` in the run's output folder.
package struct RunIndex: Sendable {
  private static let fileName = "run.json"

  fileprivate var entries: [Entry]

  /// A case, with the location of its scenario.
  package struct Entry: Sendable {
    /// The number of the case, which is also the name of its folder.
    var number: Int
    var name: CaseName
    /// The path of the scenario's file; nil if the scenario was read from standard input.
    var file: String?
    var line: Int
    /// The duration in real time; nil if the case is unfinished or was run elsewhere.
    var duration: Duration?
  }

  /// Creates the index of cases in the order of their numbers.
  package init(_ cases: [(scenario: Scenario, test: Case)]) {
    entries = cases.enumerated().map { index, pair in
      let file = pair.scenario.file
      return Entry(
        number: index + 1, name: CaseName(suite: pair.scenario.name, name: pair.test.name),
        file: file == "-" ? nil : URL(fileURLWithPath: file).standardizedFileURL.path,
        line: pair.test.position.line)
    }
  }

  /// Adds the durations of cases, in the order of their numbers. A nil duration leaves the entry unchanged.
  package mutating func add(_ durations: [Duration?]) {
    for (index, duration) in zip(entries.indices, durations) {
      entries[index].duration = duration ?? entries[index].duration
    }
  }

  /// Writes the index into the run's folder. Creates the folder if it does not exist.
  package func write(to folder: String) throws(RunError) {
    let text = JSONWriter.objectLine { writer in
      writer.objects("cases", of: entries) { writer, entry in
        writer.member("number", entry.number)
        writer.member("suite", entry.name.suite)
        writer.member("case", entry.name.name)
        writer.member("file", entry.file)
        writer.member("line", entry.line)
        writer.member("milliseconds", entry.duration?.milliseconds)
      }
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw RunError(
        .path(folder), "cannot create the folder: \(error.localizedDescription)", rule: "file")
    }
    let path = "\(folder)/\(Self.fileName)"
    do throws(OutputError) {
      try OutputFile.write(Array(text.utf8), to: path)
    } catch {
      throw RunError(unwritable: path, error.code)
    }
  }

  /// Returns, for each folder of a case, the duration of the case; nil if it is unknown. The folders may belong to
  /// several runs. The index of each run is read only once.
  package static func durations(of folders: [String]) -> [Duration?] {
    var known: [String: [Int: Duration]] = [:]
    return folders.map { folder in
      guard let (run, number) = run(around: folder), let number else { return nil }
      if known[run] == nil {
        let entries = (try? RunIndex(in: run).entries) ?? []
        let durations = entries.compactMap { entry in entry.duration.map { (entry.number, $0) } }
        known[run] = Dictionary(durations) { first, _ in first }
      }
      return known[run]?[number]
    }
  }

  /// Returns the path of the scenario that produced a folder or journal.
  ///
  /// - Parameters:
  ///   - argument: A run's folder, the folder of a case or device in it, or a journal.
  ///   - choice: The case of the scenario; nil if all cases have the same scenario.
  /// - Returns: Nil if the argument is something else, such as a scenario or a folder of policies.
  /// - Throws: ``RunError`` if the scenario is not known, or if `choice` matches no case or several.
  package static func scenario(
    of argument: String, _ choice: CaseChoice?
  ) throws(RunError) -> String? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder),
      isFolder.boolValue
        ? !CaseJournal.all(in: argument).isEmpty || holdsIndex(argument)
        : argument.hasSuffix(".jsonl")
    else { return nil }
    guard let (index, number) = try index(around: argument) else {
      throw RunError(
        .path(argument),
        "this is a journal or a device, and does not name its scenario; name the scenario itself, or a folder written by `sluice run --output-dir`",
        rule: "file")
    }
    return try index.scenario(number, choice, of: argument)
  }

  private func scenario(
    _ number: Int?, _ choice: CaseChoice?, of argument: String
  ) throws(RunError) -> String {
    var meant = entries.filter { number == nil || $0.number == number }
    if let choice { meant = try choice.entries(among: meant, of: argument) }
    let files = Set(meant.map(\.file))
    guard files.count <= 1 else {
      let names = files.map { $0 ?? "-" }.sorted()
      throw RunError(
        .path(argument),
        "the run has \(files.count) scenarios: \(ListFormat.first(20, of: names)); choose one of them by one of its cases, with `--case`",
        rule: "case")
    }
    guard let file = files.first ?? nil else {
      throw RunError(
        .path(argument), "the run read its scenario from standard input; name a file", rule: "file")
    }
    guard FileManager.default.fileExists(atPath: file) else {
      throw RunError(
        .path(argument), "the run's scenario `\(file)` no longer exists", rule: "file")
    }
    return Self.relative(file)
  }

  /// Finds the index of the run to which a path belongs, in the folder at the path and up to three levels above it.
  /// Returns nil if there is no index, or if the path is in a folder of the run that belongs to no case. `number` is the
  /// case's number; nil for the run's folder.
  private static func index(
    around argument: String
  ) throws(RunError) -> (RunIndex, number: Int?)? {
    guard let (folder, number) = run(around: argument) else { return nil }
    return (try RunIndex(in: folder), number)
  }

  /// Returns the folder of the run to which a path belongs, and the number of the case. Searches the same folders, and
  /// returns nil in the same cases, as ``index(around:)``.
  private static func run(around argument: String) -> (folder: String, number: Int?)? {
    var folder = URL(fileURLWithPath: argument).standardizedFileURL
    var below: [String] = []
    // The index is up to three levels above a device's `journal.jsonl`.
    for _ in 0...3 {
      if holdsIndex(folder.path) {
        let number = below.last.flatMap { Int($0) }
        return below.isEmpty || number != nil ? (folder.path, number) : nil
      }
      below.append(folder.lastPathComponent)
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }

  private static func holdsIndex(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder)/\(fileName)")
  }

  private init(in folder: String) throws(RunError) {
    let path = "\(folder)/\(Self.fileName)"
    let text = try InputFile.documentText(path)
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.read(text)
    } catch {
      throw RunError(.file(path, error.position), error.message, rule: "json")
    }
    var entries: [Entry] = []
    for entry in value["cases"]?.array ?? [] {
      guard let number = entry["number"]?.int, let suite = entry["suite"]?.string,
        let name = entry["case"]?.string
      else { continue }
      entries.append(
        Entry(
          number: number, name: CaseName(suite: suite, name: name), file: entry["file"]?.string,
          line: entry["line"]?.int ?? 1,
          duration: entry["milliseconds"]?.int.map { .milliseconds($0) }))
    }
    guard !entries.isEmpty else {
      throw RunError(
        .file(path),
        "the file lists no cases; expected the `run.json` of `sluice run --output-dir`",
        rule: "file")
    }
    self.entries = entries
  }

  /// Returns the path relative to the current folder. A path outside the current folder is unchanged.
  private static func relative(_ path: String) -> String {
    let folder = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }
}
