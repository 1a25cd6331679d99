internal import ArgumentParser
internal import Foundation
internal import Scenario
internal import Simulation

struct Shell: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell",
    abstract: "Drive a running device line by line, with history and completion.",
    discussion: """
      Each line is what `sluice ctl` takes; `exit`, or the end of input, leaves the device running, and `down` takes \
      it down. `help` lists what there is, and `help STEP` tells the keys of a step. The tabulator completes steps, their keys, apps and accounts. Where standard input is no terminal, \
      lines are read as they are.

      Exit status: 0 left, where standard input is no terminal the worst of its lines as of `sluice ctl`, 2 no device \
      answers or it has gone down, 64 usage.
      """)

  @Option(help: "How answers are printed; json is what the device answers.")
  var format = TextFormat.text

  @OptionGroup var control: ControlOptions

  func run() throws {
    do throws(RunError) {
      let desk = ControlDesk(try control.connect(), format)
      let isTerminal = isatty(STDIN_FILENO) == 1
      let editor = isTerminal ? LineEditor(try Completion(desk)) : nil
      defer { editor?.close() }
      var worst = ControlDesk.Outcome.held
      while let line = editor.map({ $0.line() }) ?? readLine() {
        let words = StepLine.words(line)
        if words == ["exit"] { break }
        if words.first == "help" {
          worst = max(worst, Self.help(words.dropFirst()))
          continue
        }
        guard let call = ControlCall(line: line) else { continue }
        let outcome = try desk.ask(call)
        worst = max(worst, outcome)
        if call.method == "down" { break }
        if outcome == .held, call.isFollowing { try desk.follow() }
      }
      if !isTerminal, let status = worst.status { Self.exit(withError: status) }
    } catch {
      throw Failure.report(error)
    }
  }

  private static func help(_ words: ArraySlice<String>) -> ControlDesk.Outcome {
    do throws(RunError) {
      print(try ControlHelp().text(Array(words)), terminator: "")
      return .held
    } catch {
      Failure.print(error.description)
      return .refused
    }
  }
}
