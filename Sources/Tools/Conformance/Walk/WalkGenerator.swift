internal import Host
internal import Model
internal import Wire

/// Generates the steps of a walk. The same seed generates the same steps.
struct WalkGenerator {
  private var numbers: SplitMix
  private let wheel: [Kind]

  init(seed: UInt64, _ faults: WalkFaults) {
    numbers = SplitMix(seed: seed)
    wheel = faults == .drawn ? Self.wheel + Self.faults : Self.wheel
  }

  /// Returns a random step that the model allows in its current state.
  mutating func next(_ model: WalkModel) -> WalkStep {
    while true {
      let step = make(pick(wheel))
      if model.allows(step) { return step }
    }
  }

  private enum Kind {
    case launch, suspend, resume, kill, relaunch, signIn, signOut, wipe, answerSwitches
    case switchIdentity, share, copy, paste, importItem, file, secret, captureScreen, fault
  }

  /// The kinds of steps, repeated according to their weight. Starts and resumes are frequent, and stops are rare.
  private static let wheel: [Kind] = {
    let shares: [(Kind, Int)] = [
      (.launch, 40), (.suspend, 4), (.resume, 20), (.kill, 2), (.relaunch, 1), (.signIn, 60),
      (.signOut, 3), (.wipe, 2), (.answerSwitches, 1), (.switchIdentity, 16), (.share, 60),
      (.copy, 12), (.paste, 16), (.importItem, 20), (.file, 90), (.secret, 10), (.captureScreen, 6),
    ]
    return shares.flatMap { kind, count in repeatElement(kind, count: count) }
  }()

  /// The entries that a walk with faults adds to ``wheel``.
  private static let faults = Array(repeating: Kind.fault, count: 30)

  private mutating func make(_ kind: Kind) -> WalkStep {
    switch kind {
    case .launch: .launch(app())
    case .suspend: .suspend(app())
    case .resume: .resume(app())
    case .kill: .kill(app())
    case .relaunch: .relaunch(app())
    case .signIn: .signIn(app(), pick(WalkAccount.allCases))
    case .signOut: .signOut(app(), pick(WalkAccount.allCases))
    case .wipe: .wipe(app(), pick(WalkAccount.allCases), pick([.success, .failed, .crash, .lie]))
    case .answerSwitches: .answerSwitches(pick(WalkStep.SwitchAnswer.allCases))
    case .switchIdentity: .switchIdentity(identity(), level())
    case .share: .share(share())
    case .fault: .fault(fault(), share())
    case .copy: .copy(app(), task(), content())
    case .paste: .paste(app(), task())
    case .importItem:
      .importItem(WalkStep.Import(into: app(), from: app(), task: task(), via: path()))
    case .file: file()
    case .secret: secret()
    case .captureScreen: .captureScreen(app(), task())
    }
  }

  // MARK: Parts of steps

  private mutating func app() -> WalkApp { pick([.notes, .notes, .mail, .photos]) }

  private mutating func task() -> WalkTask {
    WalkTask(thread: thread(), window: pick([nil, nil, nil, .second, .third]))
  }

  private mutating func thread() -> WalkIdentity? {
    pick([nil, nil, .account(.work), .account(.personal), .unknown])
  }

  private mutating func identity() -> WalkIdentity { pick(WalkIdentity.all + [.account(.work)]) }

  private mutating func level() -> WalkStep.SwitchLevel {
    pick([.process, .window(.main), .window(.main), .window(.second), .window(.third)])
  }

  private mutating func content() -> WalkStep.Content {
    pick([.own, .own, .own, .own, .received, .received, .received, .forged])
  }

  private mutating func path() -> SharingPath { pick([.sdk, .sdk, .os]) }

  private mutating func share() -> WalkStep.Share {
    WalkStep.Share(
      from: app(), to: app(), task: task(), content: content(), way: pick(Way.allCases), via: path()
    )
  }

  private mutating func fault() -> WalkFault {
    WalkFault(
      kind: pick(WalkFault.Kind.allCases), point: pick(FaultPoint.allCases),
      end: pick(WalkFault.End.allCases))
  }

  private mutating func file() -> WalkStep {
    let app = app()
    let length = pick(WalkText.Length.allCases)
    let kind: WalkStep.FileWork.Kind =
      switch pick(Array(0..<12)) {
      case 0...2: .write(length)
      case 3...4: .append(length)
      case 5...8: .read
      case 9: .protect(pick([nil, .work, .personal]))
      case 10: .move(to: place(app))
      default: .remove  // open: the remaining number
      }
    let task = WalkTask(thread: thread())
    return .file(app, task, WalkStep.FileWork(place: place(app), kind: kind))
  }

  private mutating func place(_ app: WalkApp) -> WalkPlace {
    WalkPlace(app: pick([app, nil]), name: pick(WalkPlace.names))
  }

  private mutating func secret() -> WalkStep {
    let app = app()
    let secret = WalkSecret(app: pick([app, nil]), name: pick(WalkSecret.names))
    return .secret(app, task(), secret, pick(WalkStep.SecretWork.allCases))
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value { numbers.pick(values) }
}
