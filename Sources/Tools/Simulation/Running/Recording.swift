internal import Diagnostics
internal import Foundation
package import Scenario

/// The scenario that comes of a running device: its world, and in one case each step that clients had carried out, with
/// what was decided. It is whole after each step.
package final class Recording {
  private let path: String
  private let head: String
  private let file: FileHandle
  /// The path from the recording's folder to what the scenario names by a path of its own.
  private let relocate: (String) -> String
  private var isEmpty = true
  /// The reason why no more is recorded; nil where all is.
  private var failure: String?
  /// The step that is carried out, and what came of it so far.
  private var pending: (entry: StepEntry, expectation: String?, count: Int)?
  /// What apps with programs of their own asked for by themselves since the last step was written.
  var ownRequests = OwnRequests()

  /// A recording of the device of `scenario`, in a new file.
  ///
  /// - Parameters:
  ///   - text: the scenario's text.
  ///   - seed: the seed of the device in place of the scenario's; nil: the scenario's.
  ///   - path: the path of the file, which must not be there.
  /// - Throws: ``RunError`` where the file cannot be made, or the scenario's cases are not a block of its own.
  package init(
    of scenario: Scenario, _ text: String, seed: UInt64?, to path: String
  ) throws(RunError) {
    self.path = path
    let own = Blueprint.folder(of: scenario.file)
    let place = PathPlace(of: path)
    relocate = { place.path(to: Blueprint.resolve($0, in: own), named: $0) }
    let world = try WorldText(text, of: scenario)
    head =
      (seed.map { "# sluice run --seed \($0)\n" } ?? "")
      + world.relocated(scenario, relocate).lines + """

        cases:
          - name: what came in
            steps:

        """
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno)).lowercased()
      throw RunError(.path(path), "cannot write the recording: \(reason)", rule: "file")
    }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Notes that a step was carried out once.
  func note(_ entry: StepEntry, _ observations: [Observation]) {
    // What was waited for is written as what an app asked for by itself.
    if case .wait(.decision) = entry.step.action { return }
    let expectation = entry.expectation(of: observations)
    if let pending, pending.expectation == expectation {
      self.pending?.count = pending.count + 1
    } else {
      writePending()
      pending = (entry.relocated(relocate), expectation, 1)
    }
  }

  /// Notes that a step could not be carried out.
  func note(_ entry: StepEntry, failed reason: String) {
    writePending()
    let lines = (entry.relocated(relocate).text() + "        \(reason)\n")
      .split(whereSeparator: \.isNewline)
    write(lines.map { "      # \($0.dropFirst(6))\n" }.joined())
  }

  /// Notes that an administrator has applied declarations.
  func note(declarations path: String) {
    // While a step is carried out, what it comes to is not known.
    finishStep()
    write("      - declarations: \(YAMLScalar.text(relocate(path)))\n")
  }

  /// Writes the step that was carried out, and what apps asked for by themselves.
  func finishStep() {
    writePending()
    for (decision, count) in ownRequests.takeAll() {
      let often = count > 1 ? "\n        repeat: \(count)" : ""
      write("      - wait: { decided: \(decision.flowText) }\(often)\n")
    }
  }

  private func writePending() {
    guard let (entry, expectation, count) = pending else { return }
    pending = nil
    write(entry.text(repeated: count, expecting: expectation))
  }

  private func write(_ text: String) {
    guard failure == nil else { return }
    do {
      try file.write(contentsOf: Data(((isEmpty ? head : "") + text).utf8))
      isEmpty = false
    } catch {
      failure = error.localizedDescription
    }
  }

  /// Writes what is left. A recording without a step leaves no file.
  ///
  /// - Throws: ``RunError`` where something could not be written.
  package func close() throws(RunError) {
    finishStep()
    try? file.close()
    if let failure {
      throw RunError(.path(path), "the recording is cut off: \(failure)", rule: "file")
    }
    if isEmpty { unlink(path) }
  }
}

/// The folder of a file, from which paths lead to others.
private struct PathPlace {
  private let folder: [Substring]

  init(of file: String) { folder = Self.parts(of: file).dropLast() }

  private static func parts(of path: String) -> [Substring] {
    URL(fileURLWithPath: path).standardizedFileURL.path.split(separator: "/")
  }

  /// The path from the folder to a file; as it is `named` where it is named from the root.
  func path(to file: String, named name: String) -> String {
    guard !name.hasPrefix("/") else { return name }
    let parts = Self.parts(of: file)
    let shared = zip(folder, parts).prefix { $0 == $1 }.count
    let up: [Substring] = Array(repeating: "..", count: folder.count - shared)
    return (up + parts.dropFirst(shared)).joined(separator: "/")
  }
}
