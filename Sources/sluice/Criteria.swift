internal import ArgumentParser
internal import Foundation
internal import Simulation

struct Criteria: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run every exit criterion on real processes, and print the certificate.",
    discussion: """
      With --for, your own app's bundle stands in the place of the app under test: what it declares counts, and \
      the ready-made guest does what the steps say. What its bundle does not fit is not run, with the reason.

      Exit status: 0 all that ran passed, 1 a criterion failed or none ran, 2 a bundle or scenario is invalid, 64 \
      usage, 70 a fault of Sluice itself.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, junit
  }

  @Option(parsing: .upToNextOption, help: "Only these criteria, such as SEND-1.")
  var only: [String] = []

  @Option(name: .customLong("for"), help: "The bundle of an app that is to meet them (Foo.app).")
  var bundle: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "The value of a build variable in the bundle of --for.", valueName: "name=value"))
  var variables: [String] = []

  @Option(help: "The folder with the scenarios, in place of those that ship.")
  var scenarios: String?

  @Option(help: "Format of the certificate.")
  var format = Format.text

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  @OptionGroup var device: DeviceOptions

  func validate() throws {
    for variable in variables where !variable.dropFirst().contains("=") {
      throw ValidationError("expected `NAME=VALUE` after --set, found `\(variable)`")
    }
  }

  private var values: [String: String] {
    var values: [String: String] = [:]
    for variable in variables {
      let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      values[String(parts[0])] = String(parts[1])
    }
    return values
  }

  func run() throws {
    do throws(RunError) {
      let app = try bundle.map { path throws(RunError) in
        try OwnApp(path, variables: values)
      }
      let certificate = try Workshop.use(device) { settings throws(RunError) in
        let run = try CriteriaRun(settings, only: only, app: app)
        if let scenarios { return try run.run(scenariosIn: scenarios) }
        return try run.run(
          scenariosIn: ShippedScenarios.folder(for: settings.programs.folder))
      }
      switch format {
      case .text: print(certificate.text(color.palette), terminator: "")
      case .json: print(certificate.json, terminator: "")
      case .junit: print(certificate.junit, terminator: "")
      }
      if !certificate.holds { Self.exit(withError: Failure.expectation) }
    } catch {
      throw Failure.report(error)
    }
  }
}
