internal import ArgumentParser
internal import EventLoop
internal import Foundation
internal import Host
internal import Output
internal import Simulation
internal import Tenants

struct DeviceOptions: ParsableArguments {
  @Option(help: "The random seed. Default: the scenario's, or a random one.")
  var seed: UInt64?

  @Option(
    help: "Write process ids, times and standard error of apps to this file; - is standard error.",
    completion: .file())
  var trace: String?

  @Option(
    name: .customLong("output-dir"),
    help: "Keep the devices' folders, with their journals and logs, in this new folder.",
    completion: .directory)
  var outputFolder: String?

  @Flag(help: "Sync each journal line to the disk before it takes effect.")
  var durable = false

  @Option(
    help: """
      How the journal traces where items came from: by tags and the device's records, or also by keyed fingerprints of \
      content that is passed on without its tag.
      """)
  var lineage = DeviceConfiguration.Lineage.tags

  @Flag(
    help:
      "Also record real time before the events of each loop iteration, so two runs have different journals."
  )
  var realTime = false

  @Flag(
    help: "Fail if the machine does not confine apps completely; see `sluice doctor`.")
  var requireConfinement = false

  @Option(
    name: .customLong("syscalls"),
    help: """
      The system calls that apps may make. strict also denies changes of file modes, owners, times and extended \
      attributes, file watches, files in memory and Unix sockets; compatible allows them.
      """)
  var systemCalls = SystemCallProfile.Strictness.strict

  func validate() throws {
    guard outputFolder?.isEmpty != true else {
      throw ValidationError("--output-dir must name a folder, found an empty name")
    }
  }

  func settings(folder: String) -> RunSettings {
    var settings = RunSettings(programs: .installed(), folder: folder)
    settings.seed = seed
    settings.trace = trace.map { $0 == "-" ? .standardError : .file($0) } ?? .off
    settings.journal = durable ? .synchronized : .written
    settings.lineage = lineage
    settings.realTime = realTime ? .recorded : .omitted
    settings.requiresConfinement = requireConfinement
    settings.systemCalls = systemCalls
    return settings
  }

  /// The options to pass to each host of a fleet.
  var forHosts: [String] {
    reproducing + (seed.map { ["--seed", "\($0)"] } ?? []) + (durable ? ["--durable"] : [])
      + (realTime ? ["--real-time"] : []) + (trace.map { ["--trace", $0] } ?? [])
  }

  /// The options that affect results, apart from the seed.
  var reproducing: [String] {
    (systemCalls == .strict ? [] : ["--syscalls", systemCalls.rawValue])
      + (lineage == .tags ? [] : ["--lineage", lineage.rawValue])
      + (requireConfinement ? ["--require-confinement"] : [])
  }
}

// MARK: - The folder

/// The folder in which a command runs its devices. It is removed afterwards, except with `--output-dir`.
enum Workshop {
  /// Calls `body` with settings for the folder in which the command runs its devices.
  ///
  /// When the command ends, even by a signal, all guests are ended and the folder is removed. With `--output-dir`, the
  /// folder is kept.
  ///
  /// - Parameter parent: The parent of a temporary folder, with a trailing slash.
  /// - Throws: ``RunError`` if `body` throws, if the folder already exists, or if it cannot be removed.
  static func use<Value>(
    _ options: DeviceOptions, in parent: String = NSTemporaryDirectory(),
    _ body: (RunSettings) throws(RunError) -> Value
  ) throws(RunError) -> Value {
    try use(keeping: options.outputFolder, in: parent, options.settings(folder:), body)
  }

  /// Calls `body` with default settings for a temporary folder, which is removed afterwards.
  static func use<Value>(
    _ body: (RunSettings) throws(RunError) -> Value
  ) throws(RunError) -> Value {
    try use(
      keeping: nil, in: NSTemporaryDirectory(), { RunSettings(programs: .installed(), folder: $0) },
      body)
  }

  private static func use<Value>(
    keeping keep: String?, in parent: String, _ settings: (_ folder: String) -> RunSettings,
    _ body: (RunSettings) throws(RunError) -> Value
  ) throws(RunError) -> Value {
    Orphans.adopt()
    if let keep {
      guard !FileManager.default.fileExists(atPath: keep) else {
        throw RunError(
          .path(keep), "the folder already exists; remove it, or specify another with --output-dir",
          rule: "file")
      }
      try Interruption.cleanUp(removing: nil)
      return try body(settings(keep))
    }
    let folder = parent + "sluice-\(UUID().uuidString)"
    try Interruption.cleanUp(removing: folder)
    let value: Value
    do throws(RunError) {
      value = try body(settings(folder))
    } catch {
      // The first of two errors is thrown, because it is the one that the user can act on. The
      // other one is only printed.
      do throws(RunError) { try remove(folder) } catch { Failure.print(error.description) }
      throw error
    }
    try remove(folder)
    return value
  }

  /// Removes the folder. The folders of several cases are removed in parallel.
  private static func remove(_ folder: String) throws(RunError) {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    DispatchQueue.concurrentPerform(iterations: entries.count) { index in
      // The removal of the whole folder below removes other entries, and reports errors.
      try? FolderRemoval("\(folder)/\(entries[index])").run()
    }
    do throws(HostError) {
      try FolderRemoval(folder).run()
    } catch {
      throw RunError(.command, "\(error)", rule: "folder", origin: .own)
    }
  }
}

// MARK: - A scenario's initial state

/// The option `--scenario` of commands that only examine a scenario's initial state, without performing steps or
/// starting apps.
struct ScenarioBeginning: ParsableArguments {
  @Option(
    help: "The scenario that states apps, accounts and policies; - for standard input.",
    completion: .file())
  var scenario: String

  /// Returns the result of `question` about the prepared scenario. Prints the scenario's warnings first.
  ///
  /// - Parameter device: The folder of a persistent device; nil for a new device.
  /// - Throws: ``RunError`` if `question` throws, or if the scenario cannot be prepared.
  func ask<Answer>(
    on device: String? = nil,
    _ question: (ScenarioRun, PreparedScenario) throws(RunError) -> Answer
  ) throws(RunError) -> Answer {
    let scenario = try ScenarioFiles.read(scenario)
    return try withRun(on: device) { run throws(RunError) in
      try Self.answer(question, by: run, try run.prepare(scenario))
    }
  }

  /// An answer for a tenant's user, and the cases in which it holds. A case is a list of conditions that must all hold.
  struct Alternative<Answer> {
    var cases: [[TenantCondition]]
    var answer: Answer
  }

  /// Returns the results of `question` about the prepared scenario, in which a user of a tenant replaces the managed
  /// account. There is a result for each combination of the facts that the export does not state.
  func ask<Answer>(
    as user: TenantStandIn,
    _ question: (ScenarioRun, PreparedScenario) throws(RunError) -> Answer
  ) throws(RunError) -> [Alternative<Answer>] {
    let scenario = try ScenarioFiles.read(scenario)
    return try withRun { run throws(RunError) in
      let programs = run.settings.programs
      let stand = try user.standing(in: scenario, programs: programs)
      let suppositions = try stand.tenants.suppositions(about: stand.scenario, programs: programs)
      guard !suppositions.isEmpty else {
        let prepared = try run.prepare(stand.scenario, for: stand.tenants)
        return [
          Alternative(cases: [[]], answer: try Self.answer(question, by: run, prepared))
        ]
      }
      var alternatives: [Alternative<Answer>] = []
      for supposition in suppositions {
        let prepared = try run.prepare(stand.scenario, for: stand.tenants.supposing(supposition))
        alternatives.append(
          Alternative(
            cases: supposition.cases, answer: try Self.answer(question, by: run, prepared)))
      }
      return alternatives
    }
  }

  private static func answer<Answer>(
    _ question: (ScenarioRun, PreparedScenario) throws(RunError) -> Answer, by run: ScenarioRun,
    _ prepared: PreparedScenario
  ) throws(RunError) -> Answer {
    for warning in prepared.warnings { Failure.print(warning) }
    return try question(run, prepared)
  }

  private func withRun<Answer>(
    on device: String? = nil, _ body: (ScenarioRun) throws(RunError) -> Answer
  ) throws(RunError) -> Answer {
    let folder = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var settings = RunSettings(programs: .installed(), folder: folder)
    settings.device = device
    return try body(ScenarioRun(settings))
  }
}
