internal import Encodings
package import Model

extension Action {
  /// An armed fault, which triggers when the next transfer reaches ``point``.
  package struct Fault: StepDetail {
    package var effect: Effect
    /// The point at which the fault triggers. If nil, it is drawn at random with the device's seed.
    package var point: FaultPoint?
    /// The name of the guest whose transfers can trigger the fault. If nil, the transfers of all guests can trigger it.
    /// If ``point`` is also nil, the affected end of a transfer is drawn at random.
    package var guest: String?

    /// The effect of a fault. Durations are in seconds.
    package enum Effect: Sendable, Equatable {
      case kill
      /// Stops a guest for a number of seconds of real time.
      case stop(seconds: Int)
      /// Slows down a guest's reading for a number of seconds of real time.
      case slowReader(seconds: Int)
      case halfFrame
      case dropAnswer
      case fullDisk
      /// Advances the virtual clock by a number of seconds.
      case clockJump(seconds: Int)
      case policy(Assignment)
      /// Wipes the account with this name from the app of the fault's guest.
      case wipe(account: String)
      case restartHost
    }

    package init(_ effect: Effect, at point: FaultPoint?, guest: String? = nil) {
      self.effect = effect
      self.point = point
      self.guest = guest
    }
  }
}

extension Action.Fault {
  /// The fault with its point, as a phrase that follows "a fault is armed:".
  package var words: String {
    "\(event) when \(guest.map { "a transfer of \($0)" } ?? "a transfer") is \(point?.rawValue ?? "at a drawn point")"
  }

  package var text: String { "a fault is armed: \(words)" }

  private var event: String {
    let who = guest ?? "the sender or receiver"
    return switch effect {
    case .kill: "\(who) is killed"
    case .stop(let seconds): "\(who) is paused for \(ISODuration.text(seconds))"
    case .slowReader(let seconds): "\(who) reads slowly for \(ISODuration.text(seconds))"
    case .halfFrame: "the connection of \(who) is closed within a frame"
    case .dropAnswer: "the answer to the sender is lost"
    case .fullDisk: "the disk is full"
    case .clockJump(let seconds): "the clock jumps by \(ISODuration.text(seconds))"
    case .policy(let assignment): assignment.text
    case .wipe(let account): "\(account) is wiped from \(who)"
    case .restartHost: "the host dies"
    }
  }

  static let step = StepRow(
    "fault",
    "Arm a fault, which triggers once, when a transfer between apps next reaches a point",
    .mapping(MappingRow("fault", Key.self)),
    example: #"{"kind": "kill", "app": "viewer", "at": "delivered"}"#,
    page: "#faults"
  ) { (value, names) throws(InputError) in .fault(try Action.Fault(value, names)) }

  fileprivate enum Key: String, MappingKey {
    case kind, at, app
    case duration = "for"
    case by, account, policy

    var row: KeyRow {
      switch self {
      case .kind:
        .required(
          .word(of: FaultKind.self),
          "The fault. "
            + FaultKind.allCases.map { "`\($0.rawValue)`: \($0.meaning)" }.joined(separator: "; "))
      case .at:
        .required(
          .word(of: Self.points),
          "The point of a transfer at which it triggers. "
            + FaultPoint.allCases.map { "`\($0.rawValue)`: \($0.meaning)" }.joined(separator: "; ")
            + "; `drawn`: one of these, drawn by the device's seed")
      case .app:
        .optional(
          .name,
          "The app, or one guest of it, whose transfers can trigger the fault (with `dropAnswer`, "
            + "only as the sender). A fault that hits a guest hits this guest. If the point is `drawn`, the "
            + "default is the sender or the receiver of the next transfer, also drawn by the seed"
        )
      case .duration:
        .optional(
          .name(matching: "^PT([1-9]|[12][0-9]|30)S$"),
          "The duration of `stop` and `slowReader`, in real time. Default: PT1S")
      case .by: .optional(.duration, "The jump of the virtual clock, for `clockJump`")
      case .account:
        .optional(.name, "Account that `wipe` removes, or that `policy` is targeted at")
      case .policy:
        .optional(
          .oneOrMore(.name),
          "Name of a policy, or a list of names, for `policy`. Default: none, and the account is unmanaged"
        )
      }
    }

    static let points = FaultPoint.allCases.map(\.rawValue) + ["drawn"]
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "a fault")
    let kind: FaultKind = try fields.required(.kind).word()
    if kind == .clockJump, let value = fields[.kind], !names.devices.isEmpty {
      throw value.mistake(
        .conflictingKeys, "all devices share one clock, so it cannot jump on one of them")
    }
    for key in Key.allCases where fields[key] != nil && !kind.keys.contains(key) {
      throw InputError(
        .conflictingKeys, at: fields.position(of: key),
        "the fault `\(kind.rawValue)` takes no `\(key.rawValue)`")
    }
    let at = try fields.required(.at).choice(of: Key.points)
    point = FaultPoint(rawValue: at)
    guest = try fields[.app].map { value throws(InputError) in try Self.guest(value, names) }
    let isDrawn = point == nil && kind != .wipe
    if kind.keys.contains(.app), guest == nil, !isDrawn {
      throw InputError(
        .missingKey, at: fields.position,
        "the fault `\(kind.rawValue)` needs `app`"
          + (kind == .wipe ? "" : ", but where the point is `drawn`"))
    }
    effect = try Self.effect(kind, fields, names)
  }

  private static func guest(_ value: YAMLValue, _ names: Names) throws(InputError) -> String {
    let guest = try names.guest(value)
    guard names.index.app(ofGuest: guest)?.extensionKind == nil else {
      throw value.mistake(
        .invalidValue, "`\(guest)` is an extension; faults affect only transfers between apps")
    }
    return guest
  }

  private static func effect(
    _ kind: FaultKind, _ fields: Fields<Key>, _ names: Names
  ) throws(InputError) -> Effect {
    switch kind {
    case .kill: .kill
    case .stop: .stop(seconds: try seconds(fields))
    case .slowReader: .slowReader(seconds: try seconds(fields))
    case .halfFrame: .halfFrame
    case .dropAnswer: .dropAnswer
    case .fullDisk: .fullDisk
    case .restartHost: .restartHost
    case .clockJump: .clockJump(seconds: try Action.Advance.seconds(fields.required(.by)))
    case .wipe: .wipe(account: try names.account(fields.required(.account)))
    case .policy: .policy(try assignment(fields, names))
    }
  }

  private static func assignment(
    _ fields: Fields<Key>, _ names: Names
  ) throws(InputError) -> Action.Assignment {
    let policies = try Action.Assignment.policies(fields[.policy], names)
    return Action.Assignment(
      account: try names.account(fields.required(.account)), policies: policies)
  }

  /// Reads the duration of a fault, in seconds of real time. The default is 1.
  private static func seconds(_ fields: Fields<Key>) throws(InputError) -> Int {
    guard let value = fields[.duration] else { return 1 }
    let text = try value.text()
    guard let seconds = ISODuration.seconds(text), (1...Action.Wait.longest).contains(seconds)
    else {
      throw value.mistake(
        .invalidValue,
        "`for` must be real time from `PT1S` to `PT\(Action.Wait.longest)S`, found `\(text)`")
    }
    return seconds
  }
}

extension FaultKind {
  fileprivate var keys: Set<Action.Fault.Key> {
    switch self {
    case .kill, .halfFrame, .dropAnswer: [.kind, .at, .app]
    case .stop, .slowReader: [.kind, .at, .app, .duration]
    case .fullDisk, .restartHost: [.kind, .at]
    case .clockJump: [.kind, .at, .by]
    case .policy: [.kind, .at, .account, .policy]
    case .wipe: [.kind, .at, .app, .account]
    }
  }
}

// MARK: - Meanings

extension FaultKind {
  /// The effect as a clause, for the schema and the help.
  fileprivate var meaning: String {
    switch self {
    case .kill:
      "the guest's process gets SIGKILL"
    case .stop:
      "the process is stopped for the duration `for`, as under load; a receiver that takes "
        + "no items for 10 seconds is killed"
    case .slowReader:
      "the guest reads only 16 bytes per millisecond for the duration `for`"
    case .halfFrame:
      "the guest's connection breaks in the middle of a frame that the guest sends"
    case .dropAnswer:
      "the answer to the sender is lost, so the sender waits until its own exit; "
        + "during this time, `wait: idle` does not end"
    case .fullDisk:
      "writes fail with ENOSPC, and the first one stops the device; after a "
        + "restart, space is available again"
    case .clockJump:
      "the virtual clock jumps ahead"
    case .policy:
      "the same as the step `assign`"
    case .wipe:
      "the same as the step `wipe`"
    case .restartHost:
      "the device and its guests are killed, as by SIGKILL, and the device "
        + "restarts from its folder"
    }
  }
}

extension FaultPoint {
  /// The state of the transfer as a clause, for the schema and the help.
  fileprivate var meaning: String {
    switch self {
    case .decided:
      "the decision is in the journal, but the device has not yet sent any "
        + "part of the item"
    case .delivered:
      "the item is in the receiver's pipe, unread"
    case .halfAcknowledged:
      "the receiver has confirmed the item, but the sender has not been notified, "
        + "and the request's end is not in the journal"
    }
  }
}
