internal import Model
internal import Output

extension Action {
  package struct Lifecycle: StepDetail {
    package var change: LifecycleChange
    /// The names of the guests. There is at least one.
    package var guests: [String]
  }
}

extension Action.Lifecycle {
  package var actingGuest: String? { guests.first }

  package var text: String { "\(change.rawValue) \(ListFormat.first(3, of: guests))" }

  static let launch = StepRow(
    "launch",
    "Start guests that are not running",
    .value(.reference("guests")),
    example: #"["mail", "viewer"]"#,
    synonyms: ["start", "run", "open", "begin", "activate", "foreground"],
    expects: [.exit, .identity, .managed]
  ) { (value, names) throws(InputError) in .lifecycle(try Action.Lifecycle(.launch, value, names)) }

  static let suspend = StepRow(
    "suspend",
    "Freeze guests, as the system does in the background; your own Swift code is notified first",
    .value(.reference("guests")),
    example: #""mail""#,
    synonyms: ["background", "hide"], expects: [.exit]
  ) { (value, names) throws(InputError) in .lifecycle(try Action.Lifecycle(.suspend, value, names))
  }

  static let resume = StepRow(
    "resume",
    "Continue suspended guests, which learn that they are on the screen again",
    .value(.reference("guests")),
    example: #""mail""#,
    synonyms: ["foreground", "activate", "unhide"], expects: [.exit, .identity, .managed]
  ) { (value, names) throws(InputError) in .lifecycle(try Action.Lifecycle(.resume, value, names)) }

  static let kill = StepRow(
    "kill",
    "End guests immediately, like swiping them away",
    .value(.reference("guests")),
    example: #""mail""#,
    synonyms: ["crash", "abort"], expects: [.exit]
  ) { (value, names) throws(InputError) in .lifecycle(try Action.Lifecycle(.kill, value, names)) }

  static let relaunch = StepRow(
    "relaunch",
    "Start guests again, killing those that still run",
    .value(.reference("guests")),
    example: #""mail""#,
    synonyms: ["reopen"], expects: [.exit, .identity, .managed]
  ) { (value, names) throws(InputError) in .lifecycle(try Action.Lifecycle(.relaunch, value, names))
  }

  static let stop = StepRow(
    "stop",
    "Ask guests to exit",
    .value(.reference("guests")),
    example: #"["mail", "viewer"]"#,
    synonyms: ["quit", "exit", "close", "end", "terminate"], expects: [.exit]
  ) { (value, names) throws(InputError) in .lifecycle(try Action.Lifecycle(.stop, value, names)) }

  init(
    _ change: LifecycleChange, _ value: YAMLValue, _ names: Names
  ) throws(InputError) {
    let guests = try names.guests(value)
    if change == .launch || change == .relaunch {
      for guest in guests {
        // A packet tunnel can run without a request.
        guard let app = names.index.app(ofGuest: guest), let kind = app.extensionKind,
          kind != .packetTunnel
        else { continue }
        throw value.mistake(
          .invalidValue,
          "`\(app.name)` is an extension; it starts when something is shared with it")
      }
    }
    self.init(change: change, guests: guests)
  }
}

package enum LifecycleChange: String, Sendable, CaseIterable {
  /// Starts the process. Fails if it is already running.
  case launch
  /// Freezes the process, as the system does with an app in the background.
  case suspend
  case resume
  /// Ends the process immediately, as a user does by swiping the app away.
  case kill
  /// Starts the process again. A process that is still running is killed first.
  case relaunch
  /// Asks the process to finish and exit.
  case stop
}

// MARK: - Device restart

extension Action {
  /// A restart of the device in its existing folder.
  package struct Restart: StepDetail {
  }
}

extension Action.Restart {
  package var text: String { "the device restarts" }

  static let step = StepRow(
    "restart",
    "Restart the device, which keeps its data; no app runs afterwards",
    .value(.constant("device")),
    example: #""device""#,
    synonyms: ["reboot", "poweroff"]
  ) { (value, names) throws(InputError) in .restart(try Action.Restart(value)) }

  /// Reads the step's value, which must be `device`. Any other value is an error.
  private init(_ value: YAMLValue) throws(InputError) { try value.require("device") }
}
