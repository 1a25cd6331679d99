internal import ArgumentParser
internal import Simulation

struct Admin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admin",
    abstract:
      "Act as the administrator of a running device: apply declarations, and see their status.",
    subcommands: [AdminApply.self, AdminStatus.self, AdminEvents.self])
}

/// The options by which the administrator's commands reach a device and print its answers.
struct AdminOptions: ParsableArguments {
  @Option(help: "How answers are printed; json is what the device answers.")
  var format = TextFormat.text

  @OptionGroup var control: ControlOptions

  /// Asks, and ends this process with the status that follows from the answer, unless all is well.
  func ask(_ call: ControlCall) throws {
    do throws(RunError) {
      let desk = ControlDesk(try control.connect(), format)
      let outcome = try desk.ask(call)
      if call.isFollowing, outcome == .held { try desk.follow() }
      if let status = outcome.status { Admin.exit(withError: status) }
    } catch {
      throw Failure.report(error)
    }
  }
}

struct AdminApply: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply a folder of declarations, replacing all earlier ones.",
    discussion: """
      See docs/declarations.md for the folder. A configuration profile (.mobileconfig, signed or not) by itself is all \
      that is declared then. What changes is printed for each app and extension, what is wrong in the folder goes to \
      standard error. A declaration with a mistake is not valid; the rest applies.

      Exit status: 0 applied, 1 applied, and something in it is not valid, 2 nothing is applied: there is no such \
      folder, the profile cannot be used, the device is not enrolled in MDM, or none answers, 64 usage.
      """)

  @Argument(help: "The folder, or a profile.", completion: .file())
  var path: String

  @OptionGroup var options: AdminOptions

  func run() throws { try options.ask(ControlCall(applying: path)) }
}

struct AdminStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract:
      "Show the device's status report: whether each declaration is active and valid, and why.",
    discussion: "Exit status: 0 shown, 2 no device answers, 64 usage.")

  @OptionGroup var options: AdminOptions

  func run() throws { try options.ask(.report) }
}

struct AdminEvents: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract:
      "Show the device's event log: what apps say of their configurations, and what is wrong.",
    discussion: "Exit status: 0 shown, 2 no device answers, 64 usage.")

  @Option(help: "How many events at most, the last ones: 0 to 1000.")
  var limit = 100

  @Flag(help: "Follow new events until the device goes down.")
  var follow = false

  @OptionGroup var options: AdminOptions

  func validate() throws {
    guard (0...1_000).contains(limit) else {
      throw ValidationError("--limit must be 0 to 1000.")
    }
  }

  func run() throws {
    try options.ask(ControlCall(eventsAtMost: limit, follow: follow))
  }
}
