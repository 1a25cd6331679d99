internal import Diagnostics
internal import Foundation
internal import JSON
internal import Model
public import Scenario

/// A folder from which cases that failed fail again, on any machine with Sluice: the scenarios, all files that they name
/// but for secrets, the seeds, the journals, and a script that runs the cases.
public struct Reproduction {
  private let failures: [Failure]
  private let options: [String]
  private let version: String

  /// A case that failed.
  public struct Failure {
    var scenario: Scenario
    var test: Case
    var events: [JournalEvent]
    var seed: UInt64

    /// - Parameter seed: the seed of the case's device; nil: the scenario's own.
    public init(_ test: Case, of scenario: Scenario, _ recording: CaseRecording, seed: UInt64?) {
      self.scenario = scenario
      self.test = test
      events = recording.events
      self.seed = seed ?? scenario.device.seed
    }
  }

  /// The reproduction of at least one failure.
  ///
  /// - Parameters:
  ///   - options: options of `sluice run` that have to do with how cases run.
  ///   - version: the version of Sluice, which the folder tells.
  public init(of failures: [Failure], options: [String], version: String) {
    self.failures = failures
    self.options = options
    self.version = version
  }

  /// Makes the folder.
  ///
  /// - Returns: the files that were left out, because they are secret.
  /// - Throws: ``RunError`` where a file cannot be read, or the folder cannot be written. Nothing is left of it then.
  public func write(to folder: String) throws(RunError) -> [String] {
    do {
      let copy = FileCopy(of: failures.map(\.scenario), to: "\(folder)/files")
      try copy.run()
      for (index, failure) in failures.enumerated() {
        let lines = failure.events.map { event in JSONWriter.line { event.write(to: &$0) } }
        try Self.write(lines.joined(), to: "\(folder)/journals/\(index + 1).jsonl")
      }
      try Self.write(script(copy), to: "\(folder)/reproduce.sh")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: "\(folder)/reproduce.sh")
      try Self.write(about(copy), to: "\(folder)/about.json")
      return copy.secrets
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw RunError(
        .path(folder), "the failures cannot be kept: \(error.localizedDescription)", rule: "file")
    }
  }

  private static func write(_ text: String, to path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func script(_ copy: FileCopy) -> String {
    let runs = failures.map { failure in
      let file = copy.place(of: failure.scenario)
      let folder = (file as NSString).deletingLastPathComponent
      let words =
        ["run", (file as NSString).lastPathComponent, "--filter", failure.test.name, "--seed"]
        + ["\(failure.seed)"] + options
      let command = words.map(Self.quoted).joined(separator: " ")
      return "(cd \(Self.quoted("./" + folder)) && exec \"$sluice\" \(command)) || status=$?"
    }
    return """
      #!/bin/sh
      # Runs the cases that failed. SLUICE is the program, where it is not `sluice` on the PATH.
      cd "$(dirname "$0")/files" || exit 2
      sluice=$(command -v "${SLUICE:-sluice}") || { echo "there is no ${SLUICE:-sluice}" >&2; exit 2; }
      status=0
      \(runs.joined(separator: "\n"))
      exit $status

      """
  }

  /// A word that a shell takes as it stands.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy {
      $0 < 128 && (Character(UnicodeScalar($0)).isLetter || Character(UnicodeScalar($0)).isNumber)
        || "-_./=,:".utf8.contains($0)
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  private func about(_ copy: FileCopy) -> String {
    JSONWriter.objectLine { writer in
      writer.member("sluice", version)
      writer.member("system", ProcessInfo.processInfo.operatingSystemVersionString)
      writer.array("failures") { writer in
        for (index, failure) in failures.enumerated() {
          writer.object { writer in
            writer.member("case", failure.test.name)
            writer.member("criterion", failure.test.criterion)
            writer.member("file", "files/" + copy.place(of: failure.scenario))
            writer.member("seed", json: String(failure.seed).utf8)
            writer.member("journal", "journals/\(index + 1).jsonl")
          }
        }
      }
      writer.array("leftOut") { writer in
        for path in copy.secrets { writer.string(path) }
      }
    }
  }
}

/// Copies scenarios, and what they name, below one folder, in the same places relative to one another.
private final class FileCopy {
  private let scenarios: [Scenario]
  private let target: String
  /// The folder that all that is copied lies below.
  private let root: [String]
  private var copied: Set<String> = []
  /// Files that were not copied, as they lie below the folder.
  private(set) var secrets: [String] = []

  init(of scenarios: [Scenario], to target: String) {
    self.scenarios = scenarios
    self.target = target
    let folders = scenarios.flatMap(\.filesToCopy).map {
      Array($0.split(separator: "/").dropLast())
    }
    let shared = folders.dropFirst().reduce(folders.first ?? []) { shared, folder in
      Array(zip(shared, folder).prefix { $0 == $1 }.map(\.0))
    }
    root = shared.map(String.init)
  }

  func run() throws {
    for scenario in scenarios {
      for path in scenario.filesToCopy.dropFirst() { try copy(path) }
      try copy(scenario)
    }
  }

  /// The scenario's path below the folder.
  func place(of scenario: Scenario) -> String { place(of: scenario.file.standardized) }

  private func place(of path: String) -> String {
    path.split(separator: "/").dropFirst(root.count).joined(separator: "/")
  }

  /// Copies a scenario, in which paths from the root of the machine become relative.
  private func copy(_ scenario: Scenario) throws {
    let path = scenario.file.standardized
    guard copied.insert(path).inserted else { return }
    var text = try String(contentsOfFile: path, encoding: .utf8)
    let depth = place(of: path).split(separator: "/").count - 1
    // The longest first: one may be the beginning of another.
    for named in scenario.namedFiles.filter({ $0.hasPrefix("/") }).sorted(by: {
      $0.count > $1.count
    }) {
      let up = String(repeating: "../", count: depth)
      text = text.replacing(named, with: up + place(of: named.standardized))
    }
    try make(place(of: path)) { try Data(text.utf8).write(to: $0) }
  }

  private func copy(_ path: String) throws {
    guard copied.insert(path).inserted else { return }
    var isFolder: ObjCBool = false
    // What ships with Sluice is named without being there.
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    guard !isFolder.boolValue else {
      for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        try copy("\(path)/\(name)")
      }
      return
    }
    guard try !Self.isSecret(path) else { return secrets.append(place(of: path)) }
    try make(place(of: path)) { url in
      // The file itself, where a link leads to it.
      let source = URL(fileURLWithPath: path).resolvingSymlinksInPath()
      try FileManager.default.copyItem(at: source, to: url)
    }
  }

  private func make(_ place: String, _ body: (URL) throws -> Void) throws {
    let url = URL(fileURLWithPath: "\(target)/\(place)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try body(url)
  }

  /// Whether a file holds a private key, or the password of a declaration's asset.
  private static func isSecret(_ path: String) throws -> Bool {
    let name = path.lowercased()
    if [".p12", ".pfx", ".key"].contains(where: name.hasSuffix) { return true }
    let head = try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 65_536)
    let text = String(decoding: head ?? Data(), as: UTF8.self)
    return text.contains("PRIVATE KEY-----")
      || name.hasSuffix(".json") && text.contains(/"[Pp]assword"\s*:\s*"/)
  }
}

extension Scenario {
  /// The scenario's file, and what it names, from the root of the machine.
  fileprivate var filesToCopy: [String] {
    let folder = Blueprint.folder(of: file)
    return ([file] + namedFiles.map { Blueprint.resolve($0, in: folder) }).map(\.standardized)
  }
}

extension String {
  fileprivate var standardized: String { URL(fileURLWithPath: self).standardizedFileURL.path }
}
