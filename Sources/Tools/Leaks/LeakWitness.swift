internal import Encodings
internal import Model
internal import Policy
internal import Scenario

/// A scenario case that replays a leak: its steps move a unique text along the hops, with the expected results.
private struct LeakWitness {
  private let leak: Leak
  private let number: Int
  /// The unique text.
  private let canary: String
  /// The apps with several identities.
  private let switching: Set<String>
  /// The managed identities, as pairs of the app's name and the persona's name.
  private let managed: Set<[String]>
  /// The names of accounts, by UPN in lower case.
  private let names: [String: String]
  private var steps: [String] = []
  /// The identity that each app acts for after the steps added so far, by the app's name.
  private var acting: [String: String] = [:]
  /// Whether the next app that moves the data has received it as an item.
  private var isHeld = false
  /// Whether the next app that moves the data retypes it first.
  private var isRetyped = false
  /// The type of the last received item.
  private var held = Item.plainText

  /// Creates the case that replays a leak.
  ///
  /// - Parameter number: The leak's number in its report, from 1.
  init(_ leak: Leak, number: Int, in world: LeakWorld) {
    self.leak = leak
    self.number = number
    switching = Set(world.apps.filter { $0.personas.count > 1 }.map(\.name))
    let personas = world.apps.flatMap { app in app.personas.map { (app: app.name, persona: $0) } }
    managed = Set(
      personas.filter(\.persona.party.isManaged).map { [$0.app, $0.persona.name] })
    names = Dictionary(
      personas.compactMap { _, persona in
        persona.account.map { ($0.upn.lowercased(), persona.name) }
      }, uniquingKeysWith: { first, _ in first })
    // Policies may allow only short texts on the pasteboard.
    canary = leak.hops.contains(where: \.pastes) ? "§" : "canary \(number)"
    let apps = Set(world.apps.filter { $0.kind == .app }.map(\.name))
      .union(world.apps.compactMap(\.signIns?.app))
    let guests = leak.apps.filter(apps.contains)
    steps.append("launch: [\(guests.map(YAMLScalar.text).joined(separator: ", "))]")
    for hop in leak.hops { add(hop) }
    if case .retyped? = leak.hops.last?.action, let last = leak.hops.last { typeIn(last) }
  }

  /// Adds the steps for a last hop in which a user retypes the data. The app acts for the hop's identity.
  ///
  /// If the identity is unmanaged, the app also copies the retyped text, which belongs to this identity. For a managed
  /// identity, only the switch to the identity can be observed.
  private mutating func typeIn(_ hop: LeakHop) {
    act(hop.app, as: hop.persona)
    guard !managed.contains([hop.app, hop.persona]) else { return }
    let item = isHeld ? "item: retyped" : "text: \(YAMLScalar.quoted(canary))"
    steps.append(
      "copy: { app: \(YAMLScalar.text(hop.app)), \(item) }\n        expect: { verdict: allowed, end: delivered }"
    )
  }

  /// The case as an element of a scenario's `cases`.
  var text: String {
    let name = "\(number): data of \(leak.owner.upn) reaches \(leak.sink.text)"
    return "  - name: \(YAMLScalar.quoted(name))\n    steps:\n"
      + steps.map { "      - \($0)\n" }.joined()
  }

  private mutating func add(_ hop: LeakHop) {
    switch hop.action {
    case .made: return
    case .retyped:
      isRetyped = isHeld
      return
    case .echo(let echo, let persona):
      act(hop.app, as: persona)
      start(
        echo.name, by: hop.app, via: echo.share.via, item(echo.share.type),
        handing: "item: \(echo.content.rawValue)", hop)
      isHeld = true
      held = echo.share.type
    case .transfer(let transfer, let receiver, let persona)
    where transfer.channel == .extensionResult:
      act(receiver, as: persona)
      start(
        hop.app, by: receiver, via: transfer.via, "text: content\(stated(transfer.type))",
        handing: "text: \(YAMLScalar.quoted(canary))", hop)
      isHeld = true
      held = Item.plainText
    case .transfer(let transfer, let receiver, let persona):
      act(hop.app, as: hop.persona)
      if transfer.channel == .clipboard {
        steps.append("copy: { app: \(YAMLScalar.text(hop.app)), \(item(transfer.type)) }")
      }
      act(receiver, as: persona)
      move(transfer, from: hop.app, to: receiver, hop)
      isHeld = true
      held = transfer.type
    case .open(let link, let receiver, let persona):
      if receiver != hop.app { act(hop.app, as: hop.persona) }
      act(receiver, as: persona)
      // The app acts for the receiving persona, one of its tasks for the sending one.
      let task = receiver == hop.app ? "\n        as: \(YAMLScalar.text(hop.persona))" : ""
      steps.append(open(link, from: hop.app, hop) + task)
      isHeld = false
    case .keep(let group, let receiver, let persona):
      act(hop.app, as: hop.persona)
      act(receiver, as: persona)
      steps.append(
        "keychainAdd: { app: \(YAMLScalar.text(hop.app)), \(key(group)), value: \(YAMLScalar.quoted(canary)) }"
      )
      steps.append(
        "keychainQuery: { app: \(YAMLScalar.text(receiver)), \(key(group)) }"
          + Self.expectation(of: hop, "received: \(YAMLScalar.quoted(canary))"))
      isHeld = false
    case .store(let outside, let receiver, let persona):
      act(hop.app, as: hop.persona)
      steps.append(
        use(to: outside, from: hop.app)
          + "\n        expect: { verdict: allowed, end: delivered }")
      act(receiver, as: persona)
      steps.append(open(outside, into: receiver, hop) + Self.expectation(of: hop))
      isHeld = false
    // No step reads the data that an extension has stored for its app. The app has it as its own content.
    case .container: isHeld = false
    case .use(let outside):
      act(hop.app, as: hop.persona)
      steps.append(use(to: outside, from: hop.app) + Self.expectation(of: hop))
    case .signIns(let change):
      signIn(change, to: hop.app)
      return
    }
    isRetyped = false
  }

  /// Adds the steps for sign-ins and sign-outs. Afterwards, the app's acting identity counts as unknown, because its
  /// account may have signed out.
  private mutating func signIn(_ change: LeakHop.SignInChange, to app: String) {
    acting[app] = nil
    let steps = change.out.map { ("signOut", $0) } + change.in.map { ("signIn", $0) }
    for (step, account) in steps {
      self.steps.append(
        "\(step): { app: \(YAMLScalar.text(app)), account: \(YAMLScalar.text(account)) }\n        expect: { verdict: allowed }"
      )
    }
  }

  /// Returns the step that opens a document from a storage location, with the names that document pickers use.
  private func open(_ outside: LeakHop.Outside, into app: String, _ hop: LeakHop) -> String {
    let account: String? =
      switch hop.requests.last?.sender.identity {
      case .account(let account)?: names[account.upn.lowercased()] ?? outside.account
      case .unknown?: "unknown"
      case .unset?, nil: nil
      }
    let location = outside.location?.opened ?? outside.location
    return "openFrom: { into: \(YAMLScalar.text(app)), location: \(location?.rawValue ?? "")"
      + (account.map { ", account: \(YAMLScalar.text($0))" } ?? "") + " }"
  }

  /// Returns the keys of a step that define the moved item.
  private func item(_ type: String) -> String {
    // Retyped content may become an item of another type.
    if isRetyped, type == held { return "item: retyped" }
    return isHeld && !isRetyped
      ? "item: received" : "text: \(YAMLScalar.quoted(canary))\(stated(type))"
  }

  /// Returns the `type` key with its value and a leading comma; empty for plain text.
  private func stated(_ type: String) -> String {
    type == Item.plainText ? "" : ", type: \(YAMLScalar.text(type))"
  }

  /// Adds the step in which an app starts an extension, which returns an item.
  private mutating func start(
    _ plugIn: String, by app: String, via path: SharingPath, _ item: String,
    handing result: String, _ hop: LeakHop
  ) {
    let ends = "from: \(YAMLScalar.text(app)), to: \(YAMLScalar.text(plugIn))"
    let path = path == .os ? ", via: os" : ""
    let rules = hop.verdicts.map { "verdict: allowed, decidedBy: \($0.deciding.rawValue)" }
    let returned =
      "{ \(rules.last ?? "verdict: allowed"), end: delivered, received: \(YAMLScalar.quoted(canary)) }"
    steps.append(
      "share: { \(ends), \(item)\(path), handsBack: { \(result) } }"
        + "\n        expect: { \(rules.first ?? "verdict: allowed"), end: delivered, returned: \(returned) }"
    )
  }

  private mutating func move(
    _ transfer: LeakHop.Transfer, from sender: String, to receiver: String, _ hop: LeakHop
  ) {
    let expectation = Self.expectation(of: hop, "received: \(YAMLScalar.quoted(canary))")
    let (sender, receiver) = (YAMLScalar.text(sender), YAMLScalar.text(receiver))
    let ends = "from: \(sender), to: \(receiver), \(item(transfer.type))"
    let path = transfer.via == .os ? ", via: os" : ""
    if transfer.channel == .clipboard {
      return steps.append("paste: { app: \(receiver) }" + expectation)
    }
    switch transfer.channel.way {
    case .dragAndDrop: steps.append("drop: { \(ends) }" + expectation)
    case .openIn: steps.append("share: { \(ends)\(path), openIn: true }" + expectation)
    case .share, nil: steps.append("share: { \(ends)\(path) }" + expectation)
    }
  }

  /// Returns the keys of a step that identify the keychain item with the data.
  private func key(_ group: String) -> String {
    "group: \(YAMLScalar.text(group)), service: leak, account: \"\(number)\""
  }

  /// Returns the step that opens a URL with the percent-encoded data.
  private func open(_ link: LeakHop.Link, from app: String, _ hop: LeakHop) -> String {
    let data = PercentEncoding.encoded(Array(canary.utf8))
    return "openURL: { from: \(YAMLScalar.text(app)), url: \(YAMLScalar.quoted(link.url + data)) }"
      + Self.expectation(of: hop, "received: \(YAMLScalar.quoted(link.opened + data))")
  }

  private func use(to outside: LeakHop.Outside, from app: String) -> String {
    let app = YAMLScalar.text(app)
    guard let location = outside.location else {
      // A page of the account is not an endpoint outside the organisation.
      let page = outside.channel == .webView ? ", externalPage: true" : ""
      return
        "use: { app: \(app), feature: \(outside.channel.rawValue)\(page), \(item(isHeld ? held : Item.plainText)) }"
    }
    let account =
      location.hasAccount ? outside.account.map { ", account: \(YAMLScalar.text($0))" } ?? "" : ""
    return
      "saveTo: { from: \(app), location: \(location.rawValue)\(account), \(item(isHeld ? held : Item.plainText)) }"
  }

  private static func expectation(of hop: LeakHop, _ more: String? = nil) -> String {
    let rule = hop.verdict.map { "decidedBy: \($0.deciding.rawValue)" }
    let keys = ["verdict: allowed", rule, "end: delivered", more].compactMap(\.self)
    return "\n        expect: { \(keys.joined(separator: ", ")) }"
  }

  /// Makes an app with several identities act for a persona.
  private mutating func act(_ app: String, as persona: String) {
    guard acting[app] != persona, switching.contains(app) else { return }
    acting[app] = persona
    steps.append(
      "switchIdentity: { app: \(YAMLScalar.text(app)), to: \(YAMLScalar.text(persona)) }\n        expect: { verdict: allowed }"
    )
  }
}

extension LeakReport {
  /// Returns a scenario's `cases` that replay the leaks on real processes, one case for each leak.
  ///
  /// - Parameters:
  ///   - world: The world in which the leaks were found.
  ///   - condition: The ``Leak/condition`` of the leaks to replay; nil for the leaks without a condition.
  package func cases(in world: LeakWorld, when condition: String? = nil) -> String {
    "cases:\n"
      + leaks.enumerated().filter { $1.condition == condition }
      .map { LeakWitness($1, number: $0 + 1, in: world).text }.joined()
  }
}

extension Leak {
  /// The apps that take part, in order of appearance.
  fileprivate var apps: [String] {
    var apps: [String] = []
    for hop in hops {
      if !apps.contains(hop.app) { apps.append(hop.app) }
      if let receiver = hop.action.receiver?.app, !apps.contains(receiver) { apps.append(receiver) }
    }
    return apps
  }
}

extension LeakHop {
  fileprivate var pastes: Bool {
    if case .transfer(let transfer, _, _) = action { transfer.channel == .clipboard } else { false }
  }
}
