internal import Foundation
internal import Model
internal import Output
package import Scenario
package import Simulation

/// A scenario recorded from a running device. It contains the device's world, and one case with the steps of the
/// clients and the expected decisions. After each write, the file is a complete scenario.
package final class Recording {
  private let path: String
  private let head: String
  private let file: FileHandle
  /// Converts a relative path in the scenario to a path relative to the recording's folder.
  private let relocate: (String) -> String
  /// Comments about failed steps before the first recorded step.
  private var comments = ""
  /// The number of YAML values, and the number of bytes, that can still be added to the scenario.
  private var room = (values: Scenario.mostValues / 10 * 9, bytes: 512 << 20)
  /// The number of bytes written so far.
  private var length = 0
  private var isEmpty: Bool { length == 0 }
  /// The reason why recording has stopped; nil if it continues.
  private var failure: String?
  /// The repetitions that are not written yet: their step, their common expectation, and their number; nil if there are
  /// none.
  private var pending: (entry: StepEntry, expectation: String?, count: Int)?
  /// The requests that apps' own programs have made on their own initiative since the last recorded step.
  private var ownRequests = OwnRequests()

  /// Creates a recording of the device of `scenario`, in a new file.
  ///
  /// - Parameters:
  ///   - seed: A seed that replaces the scenario's seed for the device; nil for the scenario's
  ///     seed.
  ///   - path: The path of the file. The file must not exist.
  /// - Throws: ``RunError`` if the file cannot be created, or if removing the cases or relocating the paths would
  ///   change the meaning of the scenario.
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
          - name: recorded steps
            steps:

        """
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno)).lowercased()
      throw RunError(.path(path), "cannot write the recording: \(reason)", rule: "file")
    }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Records one repetition of a step.
  func record(_ entry: StepEntry, _ observations: [Observation]) {
    // A decision for which a step waited is recorded as an app's own request.
    if case .wait(.decision) = entry.step.action { return }
    let expectation = entry.expectation(of: observations)
    if let pending, pending.expectation == expectation {
      self.pending?.count = pending.count + 1
    } else {
      writePending()
      pending = (entry.relocated(relocate), expectation, 1)
    }
  }

  /// Whether a failed step has changed the device.
  enum Effect { case none, some }

  /// Records a failed step. If the step changed the device, it is recorded as a step, because it
  /// must also fail in a run of the recording. Otherwise it is recorded as a comment.
  func record(_ entry: StepEntry, failed reason: String, _ effect: Effect) {
    writePending()
    let text = entry.relocated(relocate).text()
    write(comment: "      # \(YAMLScalar.quoted(reason))\n")
    guard effect == .none else { return write(text, size: entry.size) }
    let lines = text.split(separator: "\n").map { "      # \($0.dropFirst(6))\n" }
    write(comment: lines.joined())
  }

  /// Records the decision on a request that an app's own program made on its own initiative.
  func record(own decision: RequestDecision, of requester: String) {
    ownRequests.add(decision, of: requester)
  }

  func record(declarations path: String) {
    // Declarations may arrive between repetitions of a step.
    finishStep()
    write("      - declarations: \(YAMLScalar.text(relocate(path)))\n", size: 3)
  }

  /// Writes the current step, and the requests that apps have made on their own initiative.
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

  /// Writes a comment. Before the first step, comments are kept in memory instead, up to about 1 MiB.
  private func write(comment: String) {
    guard isEmpty else { return write(comment, size: 0) }
    if comments.utf8.count < 1 << 20 { comments += comment }
  }

  /// Writes all lines of `text`, or none of them.
  ///
  /// - Parameter size: The number of YAML values in the text.
  private func write(_ text: String, size: Int) {
    guard failure == nil else { return }
    let bytes = Data(((isEmpty ? head + comments : "") + text).utf8)
    room = (room.values - size, room.bytes - bytes.count)
    guard room.values >= 0, room.bytes >= 0 else {
      return failure = "the recording has reached the maximum size of a scenario"
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

  private static let changed = "another process changed, moved or removed the file"

  /// Writes the pending step. A recording without steps leaves no file.
  ///
  /// - Throws: ``RunError`` if the recording is incomplete.
  package func close() throws(RunError) {
    finishStep()
    if failure == nil, !isWhole { failure = Self.changed }
    if isEmpty, isWhole { unlink(path) }
    try? file.close()
    guard let failure else { return }
    throw RunError(.path(path), "the recording is incomplete: \(failure)", rule: "file")
  }

  /// Whether the path still refers to the created file, and no other process has written to it.
  private var isWhole: Bool {
    var (own, other) = (stat(), stat())
    return fstat(file.fileDescriptor, &own) == 0 && lstat(path, &other) == 0
      && own.st_dev == other.st_dev && own.st_ino == other.st_ino && own.st_size == length
  }
}

/// A file's folder, from which relative paths start.
private struct PathPlace {
  private let folder: [Substring]

  init(of file: String) {
    let folder = ScenarioFiles.folder(of: file)
    self.folder = Self.parts(of: folder.isEmpty ? "." : folder)
  }

  /// Returns the components of a path. Links are resolved if the path exists.
  private static func parts(of path: String) -> [Substring] {
    (path.realPath ?? URL(fileURLWithPath: path).standardizedFileURL.path).split(separator: "/")
  }

  /// Returns the path of `file` relative to the folder.
  ///
  /// - Parameter name: The path as the scenario states it. An absolute path is returned unchanged.
  func path(to file: String, named name: String) -> String {
    guard !name.hasPrefix("/") else { return name }
    let parts = Self.parts(of: file)
    let shared = zip(folder, parts).prefix { $0 == $1 }.count
    let up: [Substring] = Array(repeating: "..", count: folder.count - shared)
    return (up + parts.dropFirst(shared)).joined(separator: "/")
  }
}
