internal import ArgumentParser
internal import Simulation

struct Ctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl",
    abstract: "Have a running device carry out a step, or report about itself.",
    discussion: """
      A step is one of a scenario, as YAML or JSON, or as its name with values: \
      `sluice ctl share from=mail to=viewer text="Quarterly figures" expect.verdict=blocked`. Beside steps there are \
      \(ControlCall.words.joined(separator: ", ")) and help, which tells more of each. With - each line of standard \
      input is one.

      Exit status: 0 done and as expected, 1 an expectation was not met or a step not carried out, 2 the device does \
      not take it, or none answers, 64 usage.
      """)

  @Argument(help: "The step, or the information to report.", completion: .steps)
  var words: [String]

  @Option(help: "How answers are printed; json is what the device answers.")
  var format = TextFormat.text

  @OptionGroup var control: ControlOptions

  func run() throws {
    do throws(RunError) {
      if words.first == "help" {
        return print(try ControlHelp().text(Array(words.dropFirst())), terminator: "")
      }
      let desk = ControlDesk(try control.connect(), format)
      let outcome = words == ["-"] ? try askLines(desk) : try ask(desk)
      if let status = outcome.status { Self.exit(withError: status) }
    } catch {
      throw Failure.report(error)
    }
  }

  private func ask(_ desk: ControlDesk) throws(RunError) -> ControlDesk.Outcome {
    guard let call = ControlCall(words) else { return .held }
    let outcome = try desk.ask(call)
    if outcome == .held, call.isFollowing { try desk.follow() }
    return outcome
  }

  private func askLines(_ desk: ControlDesk) throws(RunError) -> ControlDesk.Outcome {
    var worst = ControlDesk.Outcome.held
    while let line = readLine() {
      if let call = ControlCall(line: line) { worst = max(worst, try desk.ask(call)) }
    }
    return worst
  }
}

struct Down: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "down",
    abstract:
      "Shut a running device down, wait until it has stopped, and report how its guests ended.",
    discussion: "Exit status: 0 it is down, 2 no device answers, 64 usage.")

  @OptionGroup var control: ControlOptions

  func run() throws {
    do throws(RunError) {
      let desk = ControlDesk(try control.connect(), .text)
      let outcome = try desk.ask(.down)
      // The connection ends when the device has ended.
      try desk.follow()
      if outcome != .held { Self.exit(withError: Failure.input) }
    } catch {
      throw Failure.report(error)
    }
  }
}
