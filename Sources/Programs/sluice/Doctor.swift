internal import ArgumentParser
internal import Host
internal import JSON
internal import Simulation

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say what this machine keeps of what confinement promises, and what to change.",
    discussion: """
      Asks the kernel, and starts sluice-guest and sluice-launch as devices do. Nothing stays changed.

      Exit status: 0 all is kept, 1 something is lacking, 2 the answer cannot be written, 64 usage.
      """)

  @Option(
    help: ArgumentHelp(
      "The number of guests that the machine is to carry at a time.", valueName: "n"))
  var guests = 10_000

  @Option(help: "Format of the answer.")
  var format = TextFormat.text

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  func validate() throws {
    guard (1...1_000_000).contains(guests) else {
      throw ValidationError("--guests must be 1 to 1000000, found \(guests)")
    }
  }

  func run() throws {
    let examination = MachineExamination(MachineProbe(.installed()).facts(), guests: guests)
    print(rendered(examination), terminator: "")
    if !examination.isComplete { throw Failure.expectation }
  }

  private func rendered(_ examination: MachineExamination) -> String {
    switch format {
    case .text: DoctorText(examination, color.palette).text
    case .json: JSONWriter.line { examination.write(to: &$0) }
    }
  }
}
