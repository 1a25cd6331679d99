internal import Host
internal import Leaks
internal import Model
internal import Policy
internal import Scenario

/// Makes steps at random over the apps of a world, the same for the same seed: each an element of a case's `steps`.
struct WorldSteps {
  private let apps: [LeakWorld.App]
  /// The apps without extensions.
  private let senders: [LeakWorld.App]
  private let accounts: [String]
  private var numbers: SplitMix
  private var texts = 0

  /// - Parameter accounts: the names of the accounts that may sign in.
  init(over world: LeakWorld, accounts: [String], seed: UInt64) {
    apps = world.beginning
    senders = apps.filter { $0.kind == .app }
    self.accounts = accounts
    numbers = SplitMix(seed: seed)
  }

  /// The step that starts all apps.
  var launch: String {
    "launch: [\(senders.map { YAMLScalar.text($0.name) }.joined(separator: ", "))]"
  }

  private enum Kind {
    case switchIdentity, signIn, signOut, share, openIn, drop, copy, paste, save, open, use, openURL
  }

  /// Each kind as often as its share demands.
  private static let wheel: [Kind] = {
    let shares: [(Kind, Int)] = [
      (.switchIdentity, 14), (.signIn, 5), (.signOut, 3), (.share, 40), (.openIn, 8), (.drop, 8),
      (.copy, 12), (.paste, 12), (.save, 10), (.open, 3), (.use, 12), (.openURL, 3),
    ]
    return shares.flatMap { kind, count in repeatElement(kind, count: count) }
  }()

  mutating func next() -> String {
    let app = numbers.pick(senders)
    let name = YAMLScalar.text(app.name)
    switch numbers.pick(Self.wheel) {
    case .switchIdentity:
      guard app.isMultiIdentity else { return share(from: app, "") }
      return "switchIdentity: { app: \(name), to: \(identity()) }"
    case .signIn: return "signIn: { app: \(name), account: \(account()) }"
    case .signOut: return "signOut: { app: \(name), account: \(account()) }"
    case .share: return share(from: app, numbers.next() % 3 == 0 ? ", via: os" : "")
    case .openIn:
      let receiver = YAMLScalar.text(numbers.pick(senders).name)
      return "share: { from: \(name), to: \(receiver), \(item()), openIn: true }" + task(of: app)
    case .drop:
      let receiver = YAMLScalar.text(numbers.pick(senders).name)
      return "drop: { from: \(name), to: \(receiver), \(item()) }" + task(of: app)
    case .copy: return "copy: { app: \(name), \(item()) }" + task(of: app)
    case .paste: return "paste: { app: \(name) }" + task(of: app)
    case .save:
      return "saveTo: { from: \(name), \(place(in: StorageLocation.saveLocations)), \(item()) }"
        + task(of: app)
    case .open:
      return "openFrom: { into: \(name), \(place(in: StorageLocation.openLocations)) }"
        + task(of: app)
    case .use:
      return "use: { app: \(name), feature: \(numbers.pick(Self.features)), \(item()) }"
        + task(of: app)
    case .openURL:
      return "openURL: { from: \(name), url: \"\(numbers.pick(Self.urls))\" }" + task(of: app)
    }
  }

  private static let features = Channel.allCases
    .filter {
      $0.counterpart == .system && !$0.isIncoming && $0 != .fileEncryption && $0 != .webView
    }
    .map(\.rawValue)
  private static let urls = ["https://example.org/", "tel:1", "sms:1"]

  private mutating func share(from app: LeakWorld.App, _ path: String) -> String {
    let receiver = numbers.pick(apps)
    let ends = "from: \(YAMLScalar.text(app.name)), to: \(YAMLScalar.text(receiver.name))"
    let handsBack = receiver.kind == .extension ? ", handsBack: { \(result()) }" : ""
    return "share: { \(ends), \(item())\(path)\(handsBack) }" + task(of: app)
  }

  /// What an extension hands back: a text that nobody has, or what it was handed.
  private mutating func result() -> String {
    switch numbers.next() % 3 {
    case 0:
      texts += 1
      return "text: text \(texts)"
    case 1: return "item: received"
    default: return "item: retyped"  // open: the number that is left
    }
  }

  /// A text that nobody has, or what the app got last.
  private mutating func item() -> String {
    switch numbers.next() % 4 {
    case 0, 1:
      texts += 1
      return "text: text \(texts)"
    case 2: return "item: received"
    default: return "item: retyped"  // open: the number that is left
    }
  }

  private mutating func place(in locations: [StorageLocation]) -> String {
    let location = numbers.pick(locations)
    let account = location.hasAccount ? ", account: \(identity())" : ""
    return "location: \(location.rawValue)\(account)"
  }

  /// The key by which some tasks of an app of several identities act for one of their own.
  private mutating func task(of app: LeakWorld.App) -> String {
    guard app.isMultiIdentity, numbers.next() % 4 == 0 else { return "" }
    return "\n        as: \(identity())"
  }

  private mutating func account() -> String { YAMLScalar.text(numbers.pick(accounts)) }

  private mutating func identity() -> String {
    YAMLScalar.text(numbers.pick(accounts + ["unknown", "unset"]))
  }
}

extension LeakWorld.App {
  fileprivate var isMultiIdentity: Bool { personas.contains { $0.party.app.isMultiIdentity } }
}
