internal import Foundation
internal import Model
internal import Output
package import Scenario

/// The scenario that comes of a running device: its world, and in one case each step that clients had carried out, with
/// what was decided. It is whole after each step.
package final class Recording {
  private let path: String
  private let head: String
  private let file: FileHandle
  /// The path from the recording's folder to what the scenario names by a path of its own.
  private let relocate: (String) -> String
  /// Notes on steps that failed before the first that is written.
  private var comments = ""
  /// How many values, and bytes, the scenario may still have.
  private var room = (values: Scenario.mostValues / 10 * 9, bytes: 512 << 20)
  /// The size of what is written.
  private var length = 0
  private var isEmpty: Bool { length == 0 }
  /// The reason why no more is recorded; nil where all is.
  private var failure: String?
  /// The step that is carried out, and what came of it so far.
  private var pending: (entry: StepEntry, expectation: String?, count: Int)?
  /// What apps with programs of their own asked for by themselves since the last step was written.
  private var ownRequests = OwnRequests()

  /// A recording of the device of `scenario`, in a new file.
  ///
  /// - Parameters:
  ///   - text: the scenario's text.
  ///   - seed: the seed of the device in place of the scenario's; nil: the scenario's.
  ///   - path: the path of the file, which must not be there.
  /// - Throws: ``RunError`` where the file cannot be made, or the scenario's text would say something else without its
  ///   cases, or with the paths that lead there from the file's folder.
  package init(
    of scenario: Scenario, _ text: String, seed: UInt64?, to path: String
  ) throws(RunError) {
    self.path = path
    let own = ScenarioFiles.folder(of: scenario.file)
    let place = PathPlace(of: path)
    relocate = { place.path(to: ScenarioFiles.resolve($0, in: own), named: $0) }
    let world = try WorldText(text, of: scenario)
    head =
      (seed.map { "# sluice run --seed \($0)\n" } ?? "")
      + (try world.relocated(scenario, relocate).lines) + """

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

  /// What a step that failed has done before.
  enum Effect { case none, some }

  /// Notes that a step failed: one that has done something fails again, another is left out.
  func note(_ entry: StepEntry, failed reason: String, _ effect: Effect) {
    writePending()
    let text = entry.relocated(relocate).text()
    write(comment: "      # \(YAMLScalar.quoted(reason))\n")
    guard effect == .none else { return write(text, size: entry.size) }
    let lines = text.split(separator: "\n").map { "      # \($0.dropFirst(6))\n" }
    write(comment: lines.joined())
  }

  /// Notes a decision on what an app with a program of its own asked for by itself.
  func note(own decision: RequestDecision, of requester: String) {
    ownRequests.add(decision, of: requester)
  }

  /// Notes that an administrator has applied declarations.
  func note(declarations path: String) {
    // They may come between two of the times that a step is repeated.
    finishStep()
    write("      - declarations: \(YAMLScalar.text(relocate(path)))\n", size: 3)
  }

  /// Writes the step that was carried out, and what apps asked for by themselves.
  func finishStep() {
    writePending()
    for (decision, count) in ownRequests.takeAll() {
      for start in stride(from: 0, to: count, by: Step.mostTimes) {
        let times = min(count - start, Step.mostTimes)
        let often = times > 1 ? "\n        repeat: \(times)" : ""
        write("      - wait: { decided: \(decision.flowText) }\(often)\n", size: 10)
      }
    }
  }

  private func writePending() {
    guard let (entry, expectation, count) = pending else { return }
    pending = nil
    write(entry.text(repeated: count, expecting: expectation), size: entry.size)
  }

  /// Writes a comment, or keeps it until there is a step, as long as there are few.
  private func write(comment: String) {
    guard isEmpty else { return write(comment, size: 0) }
    if comments.utf8.count < 1 << 20 { comments += comment }
  }

  /// Writes whole lines, or none of them.
  ///
  /// - Parameter size: how many values the text has, for a reader of YAML.
  private func write(_ text: String, size: Int) {
    guard failure == nil else { return }
    let bytes = Data(((isEmpty ? head + comments : "") + text).utf8)
    room = (room.values - size, room.bytes - bytes.count)
    guard room.values >= 0, room.bytes >= 0 else {
      return failure = "a scenario has no room for more steps"
    }
    guard isWhole else { return failure = Self.changed }
    do {
      try file.write(contentsOf: bytes)
      length += bytes.count
    } catch {
      failure = error.localizedDescription
      ftruncate(file.fileDescriptor, off_t(length))
    }
  }

  private static let changed = "somebody has changed, moved or removed the file meanwhile"

  /// Writes what is left. A recording without a step leaves no file.
  ///
  /// - Throws: ``RunError`` where something could not be written.
  package func close() throws(RunError) {
    finishStep()
    if failure == nil, !isWhole { failure = Self.changed }
    if isEmpty, isWhole { unlink(path) }
    try? file.close()
    guard let failure else { return }
    throw RunError(.path(path), "the recording is cut off: \(failure)", rule: "file")
  }

  /// Whether the path leads to the file that was made, and nobody else has written to it.
  private var isWhole: Bool {
    var (own, other) = (stat(), stat())
    return fstat(file.fileDescriptor, &own) == 0 && lstat(path, &other) == 0
      && own.st_dev == other.st_dev && own.st_ino == other.st_ino && own.st_size == length
  }
}

/// The folder of a file, from which paths lead to others.
private struct PathPlace {
  private let folder: [Substring]

  init(of file: String) {
    let folder = ScenarioFiles.folder(of: file)
    self.folder = Self.parts(of: folder.isEmpty ? "." : folder)
  }

  /// The parts of a path without links, as far as it leads anywhere.
  private static func parts(of path: String) -> [Substring] {
    (path.realPath ?? URL(fileURLWithPath: path).standardizedFileURL.path).split(separator: "/")
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
