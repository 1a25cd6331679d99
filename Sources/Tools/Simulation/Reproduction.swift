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

  /// Makes the folder, which must not be there.
  ///
  /// - Returns: what was left out, each with the reason.
  /// - Throws: ``RunError`` where a file cannot be read, or the folder is there or cannot be written. Nothing that was made
  ///   is left then.
  public func write(to folder: String) throws(RunError) -> [String] {
    try Self.make(folder)
    do {
      let copy = ScenarioCopy(of: failures.map(\.scenario), to: "\(folder)/files")
      try copy.run()
      for (index, failure) in failures.enumerated() {
        let lines = failure.events.map { event in JSONWriter.line { event.write(to: &$0) } }
        try Self.write(lines.joined(), to: "\(folder)/journals/\(index + 1).jsonl")
      }
      try Self.write(script(copy), to: "\(folder)/reproduce.sh")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: "\(folder)/reproduce.sh")
      try Self.write(about(copy), to: "\(folder)/about.json")
      return copy.leftOut.map(\.text)
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw Self.failure(folder, error.localizedDescription)
    }
  }

  /// Makes a folder, by a call that fails where somebody else has made one.
  private static func make(_ folder: String) throws(RunError) {
    do {
      let parent = URL(fileURLWithPath: folder).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    } catch {
      throw failure(folder, error.localizedDescription)
    }
    guard mkdir(folder, 0o777) == 0 else { throw failure(folder, String(cString: strerror(errno))) }
  }

  private static func failure(_ folder: String, _ reason: String) -> RunError {
    RunError(.path(folder), "the failures cannot be kept: \(reason)", rule: "file")
  }

  private static func write(_ text: String, to path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func script(_ copy: ScenarioCopy) -> String {
    let files = failures.map { copy.place(of: $0.scenario) }
    let runs = zip(failures, files).map { failure, file in
      let words =
        ["run", "./" + (file as NSString).lastPathComponent]
        + ["--line", "\(failure.test.position.line)", "--seed", "\(failure.seed)"] + options
      let folder = "./" + (file as NSString).deletingLastPathComponent
      let command = words.map(Self.quoted).joined(separator: " ")
      return "(cd \(Self.quoted(folder)) && exec \"$sluice\" \(command)) || status=$?"
    }
    return """
      #!/bin/sh
      # Runs the cases that failed. SLUICE is the program, where it is not `sluice` on the PATH.
      sluice=$(command -v "${SLUICE:-sluice}") || { echo "there is no ${SLUICE:-sluice}" >&2; exit 2; }
      case $sluice in /*) ;; *) sluice=$PWD/$sluice ;; esac
      cd "$(dirname "$0")/files" || exit 2
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

  private func about(_ copy: ScenarioCopy) -> String {
    JSONWriter.objectLine { writer in
      writer.member("sluice", version)
      writer.member("system", ProcessInfo.processInfo.operatingSystemVersionString)
      writer.array("failures") { writer in
        for (index, failure) in failures.enumerated() {
          writer.object { writer in
            writer.member("case", failure.test.name)
            writer.member("criterion", failure.test.criterion)
            writer.member("file", "files/" + copy.place(of: failure.scenario))
            writer.member("line", failure.test.position.line)
            writer.member("seed", json: String(failure.seed).utf8)
            writer.member("journal", "journals/\(index + 1).jsonl")
          }
        }
      }
      writer.array("leftOut") { writer in
        for file in copy.leftOut {
          writer.object { writer in
            writer.member("file", file.path)
            writer.member("why", file.why.rawValue)
          }
        }
      }
    }
  }
}
