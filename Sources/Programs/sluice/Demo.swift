internal import ArgumentParser
internal import Foundation
internal import Scenario
internal import Simulation

struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract:
      "Show what a policy does: apps as processes, items between them, a reason for each verdict.",
    discussion: """
      Without --policy, the policy is one in the shape of a Graph export that lets org data go to, and come \
      from, policy managed apps only. With it, yours: see what the same transfers come to.

      Exit status: 0 shown, 1 a step could not be carried out, 2 the policy is invalid, 64 usage, 70 a fault \
      of Sluice itself.
      """)

  @Option(
    help:
      "A policy as Microsoft Graph exports it (iosManagedAppProtection), instead of the demo's.",
    completion: .file())
  var policy: String?

  @Flag(help: "Print the scenario instead of running it, as a start for your own.")
  var printScenario = false

  @OptionGroup var device: DeviceOptions

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  func run() throws {
    do throws(RunError) {
      let text = try DemoScenario.text(policy: policy)
      if printScenario { return print(text, terminator: "") }
      let recordings = try Workshop.use(device) { settings throws(RunError) in
        try run(text, settings)
      }
      var builder = ReportBuilder()
      for recording in recordings { builder.add(recording) }
      print(
        builder.report.text(palette: color.palette, detail: .everything), terminator: "")
      if !builder.report.isPassed { Demo.exit(withError: Failure.expectation) }
    } catch {
      throw Failure.report(error)
    }
  }

  private func run(_ text: String, _ settings: RunSettings) throws(RunError) -> [CaseRecording] {
    let scenario: Scenario
    do throws(ScenarioError) {
      scenario = try Scenario.read(text, file: "demo.yaml")
    } catch {
      throw RunError(error.diagnostic)
    }
    let runner = ScenarioRun(settings)
    let prepared = try runner.prepare(scenario)
    for warning in prepared.warnings { Failure.print(warning) }
    var recordings: [CaseRecording] = []
    for (index, test) in prepared.cases.enumerated() {
      recordings.append(try runner.run(test, of: prepared, number: index + 1))
    }
    return recordings
  }
}
