internal import ArgumentParser
internal import Host
internal import Scenario
internal import Simulation

struct DeviceCreate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a device as a scenario describes it.",
    discussion: """
      The scenario's apps are installed and its accounts signed in, under its policies. No step is carried out, and \
      no process of an app is started. Where that fails, nothing is left.

      Exit status: 0 made, 2 the folder is not empty, or the scenario or something in it is invalid, 64 usage, 70 a \
      fault of Sluice itself.
      """)

  @Argument(help: "The device's folder: a new one, or one that is empty.", completion: .directory)
  var folder: String

  @Option(help: "What the device is like at first.", completion: .file())
  var scenario: String

  func run() throws {
    do throws(RunError) {
      var settings = RunSettings(programs: .installed(), folder: "")
      settings.journal = .synchronized
      let runner = ScenarioRun(settings)
      let prepared = try runner.prepare(ScenarioFiles.read(scenario))
      for warning in prepared.warnings { Failure.print(warning) }
      let name = try runner.createDevice(in: folder, as: prepared)
      print("made the device \(name) in \(folder)")
    } catch {
      throw Failure.report(error)
    }
  }
}
