internal import ArgumentParser
internal import Foundation
internal import Scenario
internal import Simulation

struct Top: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "top",
    abstract: "Watch a device in the terminal: apps, requests by outcome, rates, latest blocks.",
    discussion: """
      Follows the device's journal until Ctrl-C. With --once, or if standard output is not a terminal, it prints the \
      current state and exits.

      Exit status: 0 shown, 2 there is no journal, or it cannot be read, 64 usage.
      """)

  @Argument(
    help: "A running device's name, a device's folder, or a journal.",
    completion: .runningDevices)
  var device: String

  @Option(help: "Seconds between updates, 0.1 to 3600.")
  var interval = 1.0

  @Flag(help: "Print the current state and exit.")
  var once = false

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  func validate() throws {
    guard interval >= 0.1, interval <= 3_600 else {
      throw ValidationError("--interval must be 0.1 to 3600 seconds, found \(interval)")
    }
  }

  func perform() throws(RunError) {
    let journal = JournalArgument.path(device)
    try JournalArgument.checkIsNoScenario(journal)
    var tail = GrowingJournal(journal)
    var tally = DeviceTally()
    let isTerminal = isatty(STDOUT_FILENO) == 1
    var last: ContinuousClock.Instant?
    while true {
      repeat {
        let (before, events) = (tail.successors, try tail.next())
        if tail.successors != before { tally = DeviceTally() }
        for event in events { tally.add(event) }
      } while !tail.isAtEnd
      let now = ContinuousClock.now
      tally.takeRate(over: last.map { (now - $0) / .seconds(1) })
      last = now
      guard isTerminal, !once else {
        let lines = tally.lines(width: 100_000, height: 100_000, color.palette)
        print(lines.joined(separator: "\n"))
        if tail.unread > 0 {
          Failure.print("note: \(tail.unread) lines of the journal could not be read")
        }
        return
      }
      draw(tally)
      Thread.sleep(forTimeInterval: interval)
    }
  }

  private func draw(_ tally: DeviceTally) {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let width = isKnown ? Int(size.ws_col) : 80
    let height = isKnown ? Int(size.ws_row) - 1 : 24
    let lines = tally.lines(width: width, height: height, color.palette)
    // The sequences move to the upper left, clear the rest of each line, and then clear everything
    // below.
    print("\u{1B}[H" + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J", terminator: "")
    fflush(nil)
  }
}
