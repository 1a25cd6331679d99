internal import ArgumentParser
internal import Diagnostics
internal import EventLoop
internal import Fleets
internal import Foundation
internal import Scenario
internal import Simulation

/// A host of a fleet: `fleet run` starts it.
struct FleetJoin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Be a host of a fleet; `sluice fleet run` starts it.",
    shouldDisplay: false)

  @Argument var file: String
  @Option(name: .customLong("case")) var test: Int
  @Option var fleet: String
  @Option var coordinator: String
  @Option var listen: String
  /// The number of the host; nil: srun's rank tells it.
  @Option var number: Int?
  @OptionGroup var device: DeviceOptions

  func run() throws {
    do throws(RunError) {
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
    } catch {
      throw Failure.report(error)
    }
  }

  private var ownNumber: Int {
    get throws(RunError) {
      let rank = ProcessInfo.processInfo.environment["SLURM_PROCID"].flatMap { Int($0) }
      guard let number = number ?? rank.map({ $0 + 1 }) else {
        throw RunError(
          .command, "neither --number nor SLURM_PROCID tells which host this is", rule: "fleet")
      }
      return number
    }
  }
}
