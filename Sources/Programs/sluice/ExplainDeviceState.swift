internal import ArgumentParser
internal import Foundation
internal import Host
internal import Scenario
internal import Simulation

struct ExplainDeviceState: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device-state",
    abstract: "Explain which policy applies to which account in an app, and why the others do not.",
    discussion: """
      Apps, accounts and policies are those of a scenario, as it begins; its steps are not carried out, and no \
      app is started. With --device, who is signed in and enrolled is that device's own.

      Exit status: 0 explained, 2 the scenario, the device or the app is not right, 64 usage.
      """)

  /// The format in which the explanation is printed.
  @Argument(help: "The app, by its name in the scenario.")
  var app: String

  @Option(help: "The scenario with the apps, accounts and policies.", completion: .file())
  var scenario: String

  @Option(help: "The folder of a device that persists.")
  var device: String?

  @Option(help: "Format of the explanation.")
  var format = TextFormat.text

  func run() throws {
    do throws(RunError) {
      let scenario = try ScenarioFiles.read(scenario)
      let folder = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var settings = RunSettings(programs: .installed(), folder: folder)
      settings.device = device
      let run = ScenarioRun(settings)
      let prepared = try run.prepare(scenario)
      for warning in prepared.warnings { Failure.print(warning) }
      let view = try run.deviceState(of: app, in: prepared)
      print(format == .text ? view.text : view.json, terminator: "")
    } catch {
      throw Failure.report(error)
    }
  }
}
