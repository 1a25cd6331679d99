internal import ArgumentParser
internal import Distribution
internal import EventLoop
internal import Foundation
internal import Output
internal import Scenario
internal import Simulation

struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet", abstract: "Run many devices of one organisation on several hosts.",
    subcommands: [FleetRun.self, FleetJoin.self])
}

// MARK: - Run

private struct FleetRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a scenario's devices on several hosts, with the report of `sluice run`.",
    discussion: """
      A host is a process that runs some of the devices, on this machine or, with --executor slurm, on a node. Hosts \
      exchange the messages of devices over mutual TLS, with the latency of the scenario's `links`; the result is the \
      same for any number of hosts. If a host is lost, its devices restart on the others.

      With --output-dir, the folder of each case has `fleet.jsonl`, the events of all devices in order of time.

      Exit status: 0 all as expected, 1 an expectation failed, 2 the scenario is invalid, or no host is left, 64 usage, 70 an \
      error of Sluice itself.
      """)

  @Argument(help: "The scenario file.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp(
      "The number of hosts, at most one for each device. Default: the number of processors.",
      valueName: "n"))
  var hosts: Int?

  @Option(help: "Where hosts run: on this machine, or as Slurm tasks started by srun.")
  var executor = FleetTarget.local

  @Option(
    help: ArgumentHelp(
      "The address at which hosts reach this machine. Default: 127.0.0.1, or for Slurm its host name.",
      valueName: "address"))
  var address: String?

  @OptionGroup var report: ReportOptions<ReportFormat>
  @OptionGroup var detail: DetailOptions

  @OptionGroup var device: DeviceOptions

  private static let mostHosts = 1000

  func validate() throws {
    if let hosts, !(1...Self.mostHosts).contains(hosts) {
      throw ValidationError("--hosts must be 1 to \(Self.mostHosts), found \(hosts)")
    }
    if executor == .slurm, hosts == nil {
      throw ValidationError("--executor slurm needs --hosts, the number of tasks")
    }
    if file == "-" {
      throw ValidationError(
        "each host reads the scenario, so it cannot come from standard input; name a file")
    }
    if device.trace == "-" {
      throw ValidationError("--trace needs a file: hosts have no standard error")
    }
  }

  func run() throws {
    do throws(RunError) {
      let prepared = try prepare()
      for warning in prepared.warnings { Failure.print(warning) }
      let results = try Workshop.use(device, in: workshop) { settings throws(RunError) in
        NotedSignal.begin()
        defer { NotedSignal.end() }
        return try run(prepared, settings)
      }
      if try !results.print(to: report.targets, detail.color, detail.extent) {
        Self.exit(withError: Failure.expectation)
      }
    } catch {
      if NotedSignal.received != nil { NotedSignal.endCommand() }
      throw Failure.report(error)
    }
  }

  /// The folder in which the command creates its temporary folder. All hosts of the fleet can access it.
  private var workshop: String {
    executor == .local ? NSTemporaryDirectory() : FileManager.default.currentDirectoryPath + "/"
  }

  private func prepare() throws(RunError) -> PreparedScenario {
    var status = stat()
    if stat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw RunError(
        .file(file), "each host reads the scenario, so it must be a regular file", rule: "file")
    }
    let scenario = try ScenarioFiles.read(file)
    try scenario.checkForHosts()
    let settings = device.settings(folder: "")
    return try ScenarioRun(settings).prepare(scenario)
  }

  private func run(
    _ prepared: PreparedScenario, _ settings: RunSettings
  ) throws(RunError) -> CaseResults {
    var index = RunIndex(prepared.cases.map { (prepared.scenario, $0) })
    if let folder = device.outputFolder { try index.write(to: folder) }
    let limit = FailureLimit(detail.maxFailures)
    var recordings: [CaseRecording] = []
    for (number, test) in prepared.cases.enumerated() where !limit.isReached {
      recordings.append(try run(test, at: number, of: prepared, settings))
      limit.count(recordings[number])
    }
    if let folder = device.outputFolder {
      index.add(recordings.map(\.duration))
      try index.write(to: folder)
    }
    let skipped = limit.reason.map { why in
      prepared.cases[recordings.count...].map {
        CaseNotRun($0, of: prepared.scenario, because: why)
      }
    }
    let facts = CaseFacts(
      title: file, stated: prepared.statedSettings, policies: prepared.policyNames)
    let pieces = prepared.cases.map {
      Piece(file: file, name: $0.name, steps: $0.steps.count)
    }
    return CaseResults(
      Plan(
        "run", version: Version.text, options: [], files: [:], pieces: pieces,
        facts: facts.writeMembers), recordings, skipped: skipped ?? [],
      reading: CitedFiles(.anywhere).text)
  }

  private func run(
    _ test: Case, at index: Int, of prepared: PreparedScenario, _ settings: RunSettings
  ) throws(RunError) -> CaseRecording {
    let folder = Self.absolute("\(settings.folder)/\(index + 1)")
    let start = ContinuousClock.now
    let problems = try FleetLoop.use { loop throws(RunError) in
      try Fleet(
        test, of: prepared, settings, folder: folder, on: executor, hosts: count(for: prepared),
        reachedAt: address ?? (executor == .local ? "127.0.0.1" : ProcessInfo.processInfo.hostName),
        by: [CommandWords.program, "fleet", "join", file, "--case", "\(index)"] + device.forHosts,
        version: Version.text,
        watch: FleetWatch(
          show: ProgressLine.show, report: { Failure.print("note: \($0)") },
          isInterrupted: { NotedSignal.received != nil }), on: loop
      ).run()
    }
    guard problems.isEmpty else {
      throw RunError(problems.map { Diagnostic(.file(file), $0, rule: "fleet") })
    }
    try FleetJournal.write(in: folder, of: prepared.deviceNames)
    return try CaseRecording(
      of: test, of: prepared, in: folder, duration: ContinuousClock.now - start)
  }

  private func count(for prepared: PreparedScenario) -> Int {
    min(hosts ?? ProcessInfo.processInfo.activeProcessorCount, prepared.deviceNames.count)
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
  }
}

extension FleetTarget: ExpressibleByArgument {}

// MARK: - Hosts

/// The command that a host of a fleet runs. `fleet run` starts it.
private struct FleetJoin: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Run a host of a fleet; `sluice fleet run` starts it.",
    shouldDisplay: false)

  @Argument var file: String
  @Option(name: .customLong("case")) var test: Int
  @Option var fleet: String
  @Option var coordinator: String
  @Option var listen: String
  /// The number of this host in the fleet, from 1; nil to derive it from the rank that srun assigns.
  @Option var number: Int?
  @OptionGroup var device: DeviceOptions

  func perform() throws(RunError) {
    Orphans.adopt()
    try Interruption.cleanUp(removing: nil)
    let settings = device.settings(folder: fleet)
    let prepared = try ScenarioRun(settings).prepare(ScenarioFiles.read(file))
    guard prepared.cases.indices.contains(test) else {
      throw RunError(
        .file(file), "the scenario has changed since the fleet began", rule: "fleet")
    }
    let place = FleetPlace(
      number: try ownNumber, folder: fleet, coordinator: coordinator, listening: listen)
    try FleetLoop.use { loop throws(RunError) in
      try FleetHost(
        place, prepared.cases[test], of: prepared, settings, version: Version.text, on: loop
      ).run()
    }
  }

  private var ownNumber: Int {
    get throws(RunError) {
      let rank = ProcessInfo.processInfo.environment["SLURM_PROCID"].flatMap { Int($0) }
      guard let number = number ?? rank.map({ $0 + 1 }) else {
        throw RunError(
          .command,
          "neither --number nor SLURM_PROCID states the number of this host; add --number",
          rule: "fleet")
      }
      return number
    }
  }
}

extension Scenario {
  /// Checks that the scenario's devices can be distributed over several hosts.
  ///
  /// - Throws: ``RunError`` if there is only one device, if links have no latency, or if `requestsPerMinute` requires a
  ///   common order of all devices' requests.
  fileprivate func checkForHosts() throws(RunError) {
    guard !devices.isEmpty else {
      throw refusal(
        "a fleet needs a scenario with `devices`, but this scenario describes a single device",
        rule: "devices")
    }
    guard links.latency > 0 else {
      throw refusal(
        "a fleet on several hosts needs a link latency; state one, such as `links: { latency: PT1S }`",
        rule: "links")
    }
    guard !devices.contains(where: { $0.device.service?.capacity != nil }),
      !cases.flatMap(\.steps).flatMap(\.parts).contains(where: \.action.countsRequests)
    else {
      throw refusal(
        "`requestsPerMinute` needs a single order of all devices' requests, which several hosts cannot provide; use `sluice run`",
        rule: "requestsPerMinute")
    }
  }

  private func refusal(_ message: String, rule: String) -> RunError {
    RunError(.file(file), message, rule: rule)
  }
}

extension Action {
  /// Whether the action sets `requestsPerMinute`. This limit of the service counts the requests of all devices.
  fileprivate var countsRequests: Bool {
    if case .change(.service(let change)) = self { change.capacity != nil } else { false }
  }
}
