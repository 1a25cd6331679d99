internal import Analysis
internal import Encodings
internal import GraphDocuments
internal import Model
internal import Output
internal import Policy
internal import Scenario

/// A plan to try an answer of the workbench on a device: the apps and accounts that carry out the flow, and their
/// steps.
struct TryPlan: Sendable {
  /// The flow, in the management state of the participating apps.
  let scene: Scene
  private let cast: SceneCast
  /// The participating apps, each with the account for which it must act. The requesting app comes first. The account
  /// is nil for an app without the SDK.
  private var parts: [(app: DeviceFacts.App, account: String?)]

  /// The text that is shared, copied or dropped.
  fileprivate static let itemText = "Tried in the workbench"

  /// Finds the apps for an answer.
  ///
  /// - Parameters:
  ///   - scenes: The flow in each device state in which it has this answer; at least one.
  ///   - policy: The name of the device's policy that the draft replaces.
  /// - Throws: ``Obstacle`` if the device's apps cannot carry out the flow.
  init(_ scenes: [Scene], on facts: DeviceFacts, under policy: String) throws(Obstacle) {
    let search = CastSearch(scenes: scenes, facts: facts, policy: policy)
    let found = try search.run()
    scene = found.scene
    cast = found.cast
    parts = found.parts
  }

  /// The reason why the apps of a device cannot carry out a flow, as a clause.
  struct Obstacle: Error, Equatable {
    var text: String
  }

  // MARK: Steps

  /// The steps that start or resume the apps that do not run, as lines of YAML.
  var launches: [String] {
    let starts = parts.filter { $0.app.state == .stopped }.map(\.app.name)
    let resumes = parts.filter { $0.app.state == .suspended }.map(\.app.name)
    return [("launch", starts), ("resume", resumes)].compactMap { step, names in
      names.isEmpty ? nil : "\(step): [\(names.map(YAMLScalar.text).joined(separator: ", "))]"
    }
  }

  /// The steps that switch apps to other accounts.
  var switches: [String] {
    switching.map { app, account in
      "switchIdentity: { app: \(YAMLScalar.text(app)), to: \(YAMLScalar.text(account)) }"
    }
  }

  /// The steps of the flow. The last step makes the request.
  var actions: [String] { scene.actions(of: cast) ?? [] }

  private var switching: [(app: String, account: String)] {
    parts.compactMap { app, account in
      account.flatMap { $0 == app.identity ? nil : (app.name, $0) }
    }
  }

  /// Updates the states and identities of the participating apps.
  mutating func update(from facts: DeviceFacts) {
    for index in parts.indices {
      if let app = facts.apps.first(where: { $0.name == parts[index].app.name }) {
        parts[index].app = app
      }
    }
  }

  /// The effects of the steps on the device, besides the request: one sentence for each effect.
  var effects: [String] {
    let started = parts.filter { $0.app.state == .stopped }.map { "It starts \($0.app.name)." }
    let resumed = parts.filter { $0.app.state == .suspended }.map { "It resumes \($0.app.name)." }
    return started + resumed + switching.map { "\($0.app) then acts for \($0.account)." }
  }

  /// Returns the reason why the device's request differs from the flow; nil if it matches. It can differ because the
  /// system selects the app that opens a URL, or because an app has nothing to import.
  ///
  /// - Parameter request: The request in the result of the step.
  func mismatch(_ request: JSONValue) -> String? {
    if request["verdict"]?["decidedBy"]?.string == Rule.nothingToImport.rawValue {
      return "\(cast.other ?? "the other app") offers no item to import"
    }
    guard scene.channel.counterpart == .url, scene.parties.from == .managed,
      let receiver = request["receiver"], let isManaged = receiver["managed"]?.bool,
      isManaged != (scene.parties.to == .managed)
    else { return nil }
    let name = receiver["guest"]?.string ?? receiver["app"]?.string ?? "another app"
    return "the device opened the URL in \(name), which is \(isManaged ? "" : "not ")a managed app"
  }
}

// MARK: - Search

/// The search for the apps of a device that can carry out a flow. Running apps are preferred.
private struct CastSearch {
  let scenes: [Scene]
  let facts: DeviceFacts
  /// The name of the device's policy for which the flow is tried.
  let policy: String

  /// The maximum number of characters in a copied text. A running device reads at most 64 KiB for all keys and values
  /// of a step.
  private static let longestText = 65_000

  typealias Part = (app: DeviceFacts.App, account: String?)
  typealias Found = (scene: Scene, cast: SceneCast, parts: [Part])

  /// An account that a policy protects in an app.
  private struct Protected {
    var app: DeviceFacts.App
    var account: DeviceFacts.SignedIn
  }

  private var scene: Scene { scenes[0] }

  private var apps: [DeviceFacts.App] {
    facts.apps.filter { $0.state == .running } + facts.apps.filter { $0.state != .running }
  }

  /// All protected accounts. Accounts that ``policy`` protects come first.
  private var protected: [Protected] {
    let all = apps.filter(\.integratesSDK).flatMap { app in
      app.protectedAccounts.map { Protected(app: app, account: $0) }
    }
    return all.filter(hasPolicy) + all.filter { !hasPolicy($0) }
  }

  private func hasPolicy(_ one: Protected) -> Bool { one.account.policies.contains(policy) }

  private var unmanaged: [DeviceFacts.App] { apps.filter { !$0.integratesSDK } }

  func run() throws(TryPlan.Obstacle) -> Found {
    if let obstacle = scene.obstacle { throw .init(text: obstacle.text) }
    if case .text(let length) = scene.subject, scene.channel == .clipboard,
      length > Self.longestText
    {
      throw .init(
        text: "a step on a running device copies at most \(Self.longestText) characters")
    }
    guard !protected.isEmpty else {
      throw .init(text: "no app of the device has an account that a policy protects")
    }
    let own = protected.filter(hasPolicy)
    guard !own.isEmpty else {
      throw .init(text: "no app of the device has an account that the policy `\(policy)` protects")
    }
    let known = own.filter { candidate in
      scenes.contains { $0.device.state == candidate.account.state }
    }
    guard !known.isEmpty else {
      let here = own.map(\.account.state.title).unique
      let wanted = scenes.map(\.device.state.title)
      throw .init(
        text:
          "the answer applies to another device state: expected \(ListFormat.any(of: wanted)), found "
          + ListFormat.all(of: here))
    }
    return switch scene.channel.counterpart {
    case .app: try betweenApps(known)
    case .url: try opening(known)
    case .location: try storing(known)
    case .system: try use(known)
    }
  }

  /// Returns a search result in which the app of the protected account `one` makes the request.
  ///
  /// - Parameters:
  ///   - far: The other app, and the account that it must act for.
  ///   - acting: The account that the requesting app must act for; nil for `one`.
  private func found(
    _ one: Protected, far: Part? = nil, isAppAtFar: Bool = false, acting: String? = nil,
    otherAccount: String? = nil
  ) -> Found {
    let scene = scenes.first { $0.device.state == one.account.state } ?? scene
    let cast = SceneCast(
      app: one.app.name, other: isAppAtFar ? far?.app.name : nil, account: one.account.name,
      otherAccount: otherAccount, text: TryPlan.itemText)
    let near: Part = (one.app, acting ?? one.account.name)
    return (scene, cast, [near] + [far].compactMap(\.self))
  }

  private func isOfOtherOrganisation(
    _ one: DeviceFacts.SignedIn, than other: DeviceFacts.SignedIn
  ) -> Bool {
    guard let one = facts.accounts[one.name], let other = facts.accounts[other.name] else {
      return false
    }
    return !one.isSameTenant(as: other)
  }

  // MARK: Channels

  private func betweenApps(_ known: [Protected]) throws(TryPlan.Obstacle) -> Found {
    // One of the two ends is always a protected account. The far end of an import offers the item.
    let isImport = scene.channel == .import
    if [scene.near, scene.far].contains(.unmanaged) {
      guard !unmanaged.isEmpty else {
        throw .init(text: "the device has no unmanaged app")
      }
      let one = known.first { !isImport || scene.near != .unmanaged || $0.app.provides }
      let other = unmanaged.first { !isImport || scene.far != .unmanaged || $0.provides }
      guard let one, let other else { throw .init(text: Self.noItem) }
      return between(one, (other, nil))
    }
    let isBetweenOrganisations = [scene.near, scene.far].contains(.otherOrganisation)
    var isItemMissing = false
    for one in known {
      for other in protected where other.app.bundleID != one.app.bundleID {
        let isOther = isOfOtherOrganisation(other.account, than: one.account)
        let isSame = other.account.name == one.account.name
        guard isBetweenOrganisations ? isOther : isSame else { continue }
        guard !isImport || (scene.near == .managed ? other : one).app.provides else {
          isItemMissing = true
          continue
        }
        return between(one, (other.app, other.account.name))
      }
    }
    guard !isItemMissing else { throw .init(text: Self.noItem) }
    throw .init(
      text: isBetweenOrganisations
        ? "no other app of the device has a protected account of another organisation"
        : "no second app of the device has the same protected account")
  }

  private static let noItem = "no matching app of the device offers an item to import"

  /// Returns a search result for a flow between the app of the protected account `one` and the app `other`. The
  /// requesting app comes first.
  private func between(_ one: Protected, _ other: Part) -> Found {
    var found = found(one, far: other, isAppAtFar: true)
    if scene.near != .managed {
      found.cast.app = other.app.name
      found.cast.other = one.app.name
      found.parts.reverse()
    }
    return found
  }

  private func opening(_ known: [Protected]) throws(TryPlan.Obstacle) -> Found {
    guard let claims = scene.claims else {
      throw .init(text: "no step of a scenario can open this URL")
    }
    let openers = apps.filter { app in
      app.schemes.isSuperset(of: claims.schemes) && app.domains.isSuperset(of: claims.domains)
        && claims.bundleID.map { $0 == app.bundleID.lowercased() } ?? true
    }
    let near = try acting(known)
    for one in near {
      for opener in openers where opener.bundleID != one.account.app.bundleID {
        guard scene.parties.to == .managed else {
          if !opener.integratesSDK {
            return found(one.account, far: (opener, nil), acting: one.name)
          }
          continue
        }
        let name = one.account.account.name
        if opener.protectedAccounts.contains(where: { $0.name == name }) {
          return found(one.account, far: (opener, name), acting: one.name)
        }
      }
    }
    let bundle = claims.bundleID.map { " with the bundle id `\($0)`" } ?? ""
    throw .init(
      text: scene.parties.to == .managed
        ? "no app of the device with the same protected account\(bundle.isEmpty ? "" : " and\(bundle)") "
          + "claims \(claims.text)"
        : "no unmanaged app of the device\(bundle) claims \(claims.text)")
  }

  private func storing(_ known: [Protected]) throws(TryPlan.Obstacle) -> Found {
    let near = try acting(known)
    guard scene.far == .otherOrganisation else {
      return found(near[0].account, acting: near[0].name)
    }
    for one in near {
      let others = one.account.app.protectedAccounts
      if let other = others.first(where: { isOfOtherOrganisation($0, than: one.account.account) }) {
        return found(one.account, acting: one.name, otherAccount: other.name)
      }
    }
    throw .init(text: "no app of the device has protected accounts of two organisations")
  }

  private func use(_ known: [Protected]) throws(TryPlan.Obstacle) -> Found {
    guard case .page(let webViews, _) = scene.subject else {
      let near = try acting(known)
      return found(near[0].account, acting: near[0].name)
    }
    let fitting = known.filter { $0.app.webViews == webViews }
    guard !fitting.isEmpty else {
      throw .init(text: "no managed app of the device has the web views `\(webViews.rawValue)`")
    }
    let near = try acting(fitting)
    return found(near[0].account, acting: near[0].name)
  }

  /// Returns the protected accounts whose apps can make the request; at least one. `name` is the account that the app
  /// must act for: usually the protected account. If the requesting party is unmanaged, it is the app's personal
  /// account.
  private func acting(
    _ known: [Protected]
  ) throws(TryPlan.Obstacle) -> [(account: Protected, name: String)] {
    guard scene.near == .unmanaged else { return known.map { ($0, $0.account.name) } }
    let fitting = known.compactMap { one in
      one.app.accounts.first { !$0.isProtected }.map { (one, $0.name) }
    }
    guard !fitting.isEmpty else {
      throw .init(text: "no managed app of the device also has a personal account")
    }
    return fitting
  }
}
