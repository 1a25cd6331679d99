internal import ArgumentParser
internal import Foundation
internal import Picture
internal import Scenario
internal import Simulation

struct Criteria: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run every exit criterion on real processes, and print the certificate.",
    discussion: """
      With --for, your own app's bundle takes every part that a criterion has for an app: what it declares counts, and \
      the ready-made guest does what the steps say. An error in the bundle fails the criteria that hang on it, and \
      each says what was not tried.

      Exit status: 0 all that ran passed, 1 a criterion failed or none ran, 2 a bundle or scenario is invalid, 64 \
      usage, 70 a fault of Sluice itself.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, junit, html

    func render(_ certificate: CriteriaCertificate, _ palette: Palette) -> String {
      switch self {
      case .text: certificate.text(palette)
      case .json: certificate.json
      case .junit: certificate.junit
      case .html: Self.picture(of: certificate).page()
      }
    }

    private static func picture(of certificate: CriteriaCertificate) -> Picture {
      var picture = Picture(title: "Exit criteria", reading: CitedFiles(.anywhere).text)
      for check in certificate.entries.flatMap(\.checks) {
        guard let recording = check.recording else { continue }
        picture.add(recording, named: check.title ?? "", of: check.file)
      }
      return picture
    }
  }

  @Option(parsing: .upToNextOption, help: "Only these criteria, such as SEND-1.")
  var only: [String] = []

  @Option(
    name: .customLong("for"), help: "The bundle of an app to check against them (Foo.app).",
    completion: .file())
  var bundle: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "The value of a build variable in the bundle of --for.", valueName: "name=value"))
  var variables: [NamedValue] = []

  @Option(
    help: "The folder with the scenarios, in place of those that ship.", completion: .directory)
  var scenarios: String?

  @Option(help: "Format of the certificate.")
  var format = Format.text

  @Option(
    help: ArgumentHelp(
      "A certificate into a file too; without FORMAT the extension tells it. Can be repeated.",
      valueName: "format=path"),
    transform: { try FileOutput<Format>($0) })
  var output: [FileOutput<Format>] = []

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  @OptionGroup var device: DeviceOptions

  func run() throws {
    do throws(RunError) {
      let app = try bundle.map { path throws(RunError) in
        try OwnApp(path, variables: Dictionary(variables.map { ($0.name, $0.value) }) { $1 })
      }
      let certificate = try Workshop.use(device) { settings throws(RunError) in
        let run = try CriteriaRun(settings, only: only, app: app)
        if let scenarios { return try run.run(scenariosIn: scenarios) }
        return try run.run(
          scenariosIn: ShippedScenarios.folder(for: settings.programs.folder))
      }
      print(format.render(certificate, color.palette), terminator: "")
      for output in output { try output.write(output.format.render(certificate, .plain)) }
      if !certificate.holds { Self.exit(withError: Failure.expectation) }
    } catch {
      throw Failure.report(error)
    }
  }
}
