internal import Activation
internal import Bundle
internal import Foundation
internal import Model
internal import Output
internal import Scenario
package import Simulation
internal import UniformTypes

/// A user's app that replaces the app under test in scenarios. Its bundle determines its
/// properties, and the ready-made guest performs the steps.
package struct OwnApp: Sendable {
  /// The absolute path of the bundle.
  private let path: String
  private let bundle: AppBundle
  package let identifier: String
  private let variables: [String: String]
  /// Findings that keep the app from meeting criteria: the errors of `sluice bundle lint`, and an
  /// app group that the Open-In action does not share.
  private let errors: [BundleFinding]

  /// Reads the bundle of an app.
  ///
  /// - Parameter variables: Values for build variables, needed if the bundle was not built.
  /// - Throws: ``RunError`` if the bundle cannot be read, is not an app, or has no bundle id.
  package init(_ path: String, variables: [String: String] = [:]) throws(RunError) {
    self.variables = variables
    self.path = URL(fileURLWithPath: path).standardizedFileURL.path
    do throws(BundleError) {
      bundle = try AppBundle(at: path, settings: BuildSettings(variables))
    } catch {
      throw RunError(error.diagnostic)
    }
    guard bundle.kind == .app else {
      throw RunError(
        .file(path), "this is an extension; criteria apply only to apps", rule: "bundle")
    }
    guard let identifier = bundle.info.identifier else {
      throw RunError(.file(path), "`CFBundleIdentifier` is missing", rule: "bundle")
    }
    guard !identifier.contains("$(") else {
      throw RunError(
        .file(path),
        "`CFBundleIdentifier` is `\(identifier)`; set the values of build variables with --set",
        rule: "bundle")
    }
    self.identifier = identifier
    let sharesGroup = Self.sharesGroup(bundle)
    errors = BundleReport.findings(about: .bundle(bundle, in: nil)).filter {
      $0.severity == .error || $0.rule == .appGroupUnlisted && !sharesGroup
    }
  }

  /// Returns whether the SDK finds an app group that the app and its Open-In action share; true if there is no Open-In
  /// action. Both must list the group in `AppGroupIdentifiers`.
  private static func sharesGroup(_ bundle: AppBundle) -> Bool {
    guard let action = bundle.plugIns.first(where: \.isOpenInAction) else { return true }
    let listed = { (bundle: AppBundle) in Set(bundle.info.intuneSettings?.appGroups ?? []) }
    return !listed(bundle).isDisjoint(with: listed(action))
  }

  // MARK: Declarations of the bundle

  var usesSDK: Bool { bundle.info.intuneSettings != nil }

  private var isMultiIdentity: Bool { bundle.info.intuneSettings?.isMultiIdentity ?? false }

  /// The types of the documents that the app opens, without duplicates and without the SDK's aliases.
  private var documentTypes: [String] {
    InstalledBundle.documentTypes(of: bundle).reduce(into: [String]()) { types, type in
      if !IntuneTypeAlias.isTwin(type), !types.contains(type) { types.append(type) }
    }
  }

  private var openInAction: AppBundle? { bundle.plugIns.first(where: \.isOpenInAction) }

  /// The extensions that share sheets offer, without the Open-In action.
  private var sheetExtensions: [AppBundle] {
    bundle.plugIns.filter { $0.kind.isOfferedByRule && !$0.isOpenInAction }
  }

  // MARK: Replacement

  /// Returns the case with this app in place of `role`, which is an app of the scenario.
  ///
  /// - Throws: ``Misfit`` if the app cannot replace the role.
  private func standing(
    as role: AppDefinition, in test: Case, of scenario: Scenario
  ) throws(Misfit) -> Stand {
    guard role.servers.isEmpty else {
      throw Misfit("the case needs TLS connections, which the ready-made guest does not make")
    }
    if let other = scenario.apps.first(where: { $0.name != role.name && isCalled($0.bundle) }) {
      throw Misfit(
        "the scenario's own app `\(other.name)` also has the bundle id `\(identifier)`; "
          + "use a copy of the bundle with another id")
    }
    var (scenario, test) = (scenario, test)
    // The app's own extensions come from its bundle.
    scenario.apps.removeAll { $0.containingApp == role.name }
    guard let index = scenario.apps.firstIndex(where: { $0.name == role.name }) else {
      throw Misfit("`\(role.name)` belongs to another app")
    }
    if role.isMultiIdentity, !isMultiIdentity {
      test = try test.withOneIdentity(of: role, in: scenario)
      scenario.apps[index].signedIn = role.signedIn.filter(scenario.isManaged)
    }
    adopt(&scenario.apps[index])
    scenario.rename(role.bundle, to: identifier)
    return Stand(
      role: role, scenario: scenario, test: test,
      alias: ResolvedScenario.Alias(bundle: role.bundle, alias: identifier))
  }

  private func isCalled(_ identifier: String) -> Bool {
    self.identifier.lowercased() == identifier.lowercased()
  }

  /// Gives `app` the properties of the user's bundle.
  private func adopt(_ app: inout AppDefinition) {
    let team = bundle.team ?? app.team ?? "OWNTEAM"
    app.path = path
    app.buildVariables = variables
    app.bundle = identifier
    app.team = team
    app.usesSDK = false
    app.isMultiIdentity = false
    app.executable = nil
    app.isReadyMade = true
    app.schemes = []
    app.documentTypes = []
    app.appGroups = []
    if !app.keychainGroups.isEmpty { app.keychainGroups = ["\(team).\(identifier)"] }
  }

  /// A case in which the app under test replaces an app of the scenario, with the app's alias in policies.
  fileprivate struct Stand {
    /// The replaced app, as defined in the scenario.
    let role: AppDefinition
    var scenario: Scenario
    var test: Case
    var alias: ResolvedScenario.Alias

    /// The job that runs the case without further changes.
    var job: CriterionJob.Kind {
      var scenario = scenario
      scenario.cases = [test]
      return .run(scenario, alias)
    }
  }
}

extension AppBundle {
  var isOpenInAction: Bool { info.intuneSettings?.isOpenInAction ?? false }
}

/// The reason why the user's app cannot replace an app of the scenario in a case.
private struct Misfit: Error {
  /// The reason as a clause, in lower case without a full stop.
  var why: String

  init(_ why: String) { self.why = why }
}

extension Scenario {
  fileprivate func isManaged(_ account: String) -> Bool {
    policies.contains { $0.assignments.contains { $0.account == account } }
  }

  fileprivate func isManaged(_ identity: IdentityReference) -> Bool {
    if case .account(let account) = identity { isManaged(account) } else { false }
  }

  /// Replaces the bundle id `bundle` with `other` in the app lists of policy assignments.
  fileprivate mutating func rename(_ bundle: String, to other: String) {
    for policy in policies.indices {
      for assignment in policies[policy].assignments.indices {
        policies[policy].assignments[assignment].apps = policies[policy].assignments[assignment]
          .apps.map { apps in apps.map { $0.lowercased() == bundle.lowercased() ? other : $0 } }
      }
    }
  }
}

// MARK: Single identity

extension Case {
  /// Returns the case without identity switches, for an app that always acts for its only account, the managed account.
  ///
  /// - Throws: ``Misfit`` if the case involves several identities.
  fileprivate func withOneIdentity(
    of app: AppDefinition, in scenario: Scenario
  ) throws(Misfit) -> Case {
    var test = self
    test.steps = []
    for step in steps {
      // The app cannot act for another identity.
      guard step.expectation?.identity.map(scenario.isManaged) ?? true else { throw .oneIdentity }
      let isOwn = step.action.detail.actingGuest.map(app.hasGuest) ?? false
      guard isOwn else {
        test.steps.append(step)
        continue
      }
      if let change = step.action.detail as? Action.IdentitySwitch {
        guard scenario.isManaged(change.identity), change.window.isEmpty, change.others.isEmpty
        else { throw .oneIdentity }
        continue
      }
      if case .account(let account) = step.action, account.kind.isSignInOrOut {
        throw .oneIdentity
      }
      guard step.task == nil else { throw .oneIdentity }
      test.steps.append(step)
    }
    return test
  }
}

extension Misfit {
  fileprivate static let oneIdentity = Misfit(
    "the case needs an app with several identities, and `IntuneMAMSettings` lacks `MultiIdentity`"
  )
}

// MARK: Attempts

/// Creates jobs that run a criterion's cases with the app in place of each app under test.
extension OwnApp {
  /// Returns the defects in the bundle that keep the app from meeting a criterion, as one sentence each.
  func defects(for criterion: Criterion) -> [String] {
    guard usesSDK || criterion.stage == .managedApp else {
      return ["`IntuneMAMSettings` is missing: the app does not integrate the Intune App SDK"]
    }
    return errors.filter { criterion.isHarmed(by: $0.rule, in: part(of: $0)) }
      .map(\.description)
  }

  /// Returns the extension to which a finding refers; nil for the app itself.
  private func part(of finding: BundleFinding) -> AppBundle? {
    bundle.plugIns.first { finding.file.hasPrefix("\($0.source.path)/") }
  }

  func attempts(
    at test: Case, of scenario: Scenario, for criterion: Criterion
  ) -> [CriterionJob.Kind] {
    let roles = scenario.roles(in: test)
    guard !roles.isEmpty else { return [.misfit("the case starts no app")] }
    return roles.flatMap { role -> [CriterionJob.Kind] in
      do throws(Misfit) {
        let stand = try standing(as: role, in: test, of: scenario)
        if criterion.need == .receivesItems { return receiving(stand) }
        if let action = scenario.openInAction(of: role, in: test) {
          return opening(stand, insteadOf: action.name)
        }
        return [roles.count > 1 ? stand.called("as \(role.name)").job : stand.job]
      } catch {
        return [.misfit(roles.count > 1 ? "as \(role.name): \(error.why)" : error.why)]
      }
    }
  }

  private static let lacksOpenIn =
    "the app opens documents, but has no Open-In action (`OpenInActionExtension`) for documents from managed apps"

  /// The reason why the app's Open-In action cannot be tried; nil if it can be tried.
  private var openInDefect: String? {
    if documentTypes.isEmpty {
      return
        "the app has an Open-In action, but opens no documents: `CFBundleDocumentTypes` is missing "
        + "or empty"
    }
    let parts = [bundle, openInAction].compactMap(\.self)
    return parts.first { $0.source.entitlements == nil }.map {
      "`\($0.source.path)` has no entitlements file, so the app group for documents is unknown"
    }
  }

  /// Returns the jobs in which the app opens a document, one for each type that the app declares.
  private func opening(_ stand: Stand, insteadOf action: String) -> [CriterionJob.Kind] {
    let role = "as \(stand.role.name)"
    guard let name = openInAction?.info.identifier else {
      let isOpener = !documentTypes.isEmpty
      return [
        isOpener
          ? .defect("\(role): \(Self.lacksOpenIn)") : .misfit("\(role): the app opens no documents")
      ]
    }
    if let defect = openInDefect { return [.defect("\(role): \(defect)")] }
    return documentTypes.map { type in
      var stand = stand.called("\(role), \(type)")
      stand.test = stand.test.handing(type, to: name, insteadOf: action)
      return stand.job
    }
  }
}

extension OwnApp.Stand {
  /// Returns a copy of the case with `part` added to its name.
  fileprivate func called(_ part: String) -> Self {
    var stand = self
    stand.test.name += " (\(part))"
    return stand
  }
}

extension Scenario {
  /// Returns the apps under test in a case: the apps that the case lists, or else the first app that it launches.
  fileprivate func roles(in test: Case) -> [AppDefinition] {
    guard test.underTest.isEmpty else {
      return test.underTest.compactMap { name in apps.first { $0.name == name } }
    }
    for step in test.steps {
      guard case .lifecycle(let lifecycle) = step.action, lifecycle.change == .launch else {
        continue
      }
      return apps.filter { app in lifecycle.guests.first.map(app.hasGuest) ?? false }
    }
    return []
  }

  /// Returns the Open-In action of `app` if the case shares items with it; nil otherwise.
  fileprivate func openInAction(of app: AppDefinition, in test: Case) -> AppDefinition? {
    let destinations = test.steps.compactMap { step -> String? in
      if case .share(let share) = step.action { share.to } else { nil }
    }
    return apps.first {
      $0.containingApp == app.name && $0.isOpenInAction && destinations.contains($0.name)
    }
  }
}

extension Case {
  /// Returns a copy of the case in which the documents have the type `type` and the receiver `own` replaces `other`.
  fileprivate func handing(_ type: String, to own: String, insteadOf other: String) -> Case {
    var test = self
    test.steps = steps.map { step in
      var step = step
      if case .share(var share) = step.action, share.to == other {
        share.to = own
        if case .item(.stated(var item)) = share.content {
          item.type = type
          share.content = .item(.stated(item))
        }
        step.action = .share(share)
      } else if case .shareSheet(var sheet) = step.action {
        for index in sheet.items.indices { sheet.items[index].types = [type] }
        step.action = .shareSheet(sheet)
        step.expectation?.rename(other, to: own)
      }
      return step
    }
    return test
  }
}

extension Expectation {
  /// Renames a destination of the share sheet.
  fileprivate mutating func rename(_ name: String, to other: String) {
    shown = shown.map { $0 == name ? other : $0 }
    encrypted = encrypted.map { $0 == name ? other : $0 }
    hidden = hidden.map { $0 == name ? other : $0 }
  }
}

// MARK: - Receiving

/// Creates jobs for the channels through which other apps send an item to the app: "Copy to" and
/// "Open in" for documents, and the app's share and action extensions.
extension OwnApp {
  private func receiving(_ stand: Stand) -> [CriterionJob.Kind] {
    guard let share = stand.share else { return [stand.job] }
    let hasWayIn = !documentTypes.isEmpty || openInAction != nil || !sheetExtensions.isEmpty
    guard hasWayIn else {
      return [
        .misfit(
          "the app accepts nothing from other apps: it has neither `CFBundleDocumentTypes` nor a suitable extension"
        )
      ]
    }
    return copying(stand, share) + opening(stand, share)
      + sheetExtensions.map { offering($0, stand, share) }
  }

  // MARK: Documents

  private func copying(_ stand: Stand, _ share: PassiveShare) -> [CriterionJob.Kind] {
    guard let type = documentTypes.first else {
      return [.misfit("by `Copy to`: the app opens no documents")]
    }
    // A blocked share can be tried with "Copy to", because every channel blocks it.
    guard !share.isOfManaged || !share.isAllowed else {
      return [.misfit("by `Copy to`: if a managed app sends, `Open in` replaces `Copy to`")]
    }
    return [
      stand.called("by `Copy to`, \(type)").job(
        to: stand.role.name, type: type, isOnSheet: share.isAllowed && !share.isImport,
        { share in
          share.way = .openIn
          share.item?.name = "document"
        })
    ]
  }

  private func opening(_ stand: Stand, _ share: PassiveShare) -> [CriterionJob.Kind] {
    guard share.isOfManaged else {
      return openInAction == nil
        ? [] : [.misfit("by `Open in`: iOS offers the action only if a policy restricts sending")]
    }
    guard let action = openInAction?.info.identifier else {
      if documentTypes.isEmpty { return [] }
      return [share.isAllowed ? .defect(Self.lacksOpenIn) : .misfit(Self.lacksOpenIn)]
    }
    if let defect = openInDefect { return [share.isAllowed ? .defect(defect) : .misfit(defect)] }
    let stand = stand.asExtension
    return documentTypes.map { type in
      stand.called("by `Open in`, \(type)").job(
        to: action, type: type, isOnSheet: share.isAllowed,
        { share in
          share.way = .openIn
          share.item?.name = "document"
        })
    }
  }

  // MARK: Extensions

  private func offering(
    _ plugIn: AppBundle, _ stand: Stand, _ share: PassiveShare
  ) -> CriterionJob.Kind {
    let identifier = plugIn.info.identifier ?? plugIn.source.path
    guard !share.isImport else {
      return .misfit("by `\(identifier)`: extensions are not asked to switch identity")
    }
    guard plugIn.info.intuneSettings != nil || !share.isToManaged else {
      return .defect(
        "the `Info.plist` of `\(identifier)` lacks `IntuneMAMSettings`, so no policy applies in the extension"
      )
    }
    let offer = Offer(of: plugIn, in: bundle, documentTypes)
    switch offer {
    case .never:
      let sentence =
        "`\(identifier)` is never offered: its activation rule matches no tested item"
      return share.isAllowed ? .defect(sentence) : .misfit(sentence)
    case .severalOnly:
      return .misfit("by `\(identifier)`: iOS offers the extension only for several items together")
    case .one(let type):
      return stand.asExtension.called("by \(identifier), \(type)").job(
        to: identifier, type: type, isOnSheet: share.isAllowed, { _ in })
    }
  }
}

/// The item type for which a share or action extension is offered. Candidates are the types that
/// its rule names, the types that its app opens, and common types.
private enum Offer {
  case never
  case severalOnly
  case one(type: String)

  init(of plugIn: AppBundle, in app: AppBundle, _ documentTypes: [String]) {
    self = .never
    guard let rule = plugIn.info.appExtension?.activationRule else { return }
    let library = TypeLibrary.system.adding(app.info.declaredTypes + plugIn.info.declaredTypes)
    let named = rule.typeIdentifiers.map { IntuneTypeAlias.original(of: $0) ?? $0 }
    let types = named + documentTypes + Self.commonTypes
    for count in 1...4 {
      let type = types.first { type in
        [type, IntuneTypeAlias.of(type)].contains { name in
          let file = SharedAttachment(registeredTypeIdentifiers: [name])
          let item = SharedItem(attachments: Array(repeating: file, count: count))
          return rule.matches([item], types: library)
        }
      }
      guard let type else { continue }
      self = count == 1 ? .one(type: type) : .severalOnly
      return
    }
  }

  private static let commonTypes = [
    "public.utf8-plain-text", "public.url", "public.jpeg", "public.png", "com.adobe.pdf",
    "public.file-url", "public.mpeg-4", "public.vcard", "public.data",
  ]
}

/// The share with which another app sends an item to the app under test.
private struct PassiveShare {
  /// Whether the sender uses the SDK. If so, the share is assumed to be restricted by the sender's policy.
  var isOfManaged: Bool
  var isAllowed: Bool
  /// Whether the device asks the app to switch its identity, and the app agrees.
  var isImport: Bool

  /// Whether the app receives the item for its managed account. Managed accounts receive only from managed apps, other
  /// accounts only from unmanaged apps.
  var isToManaged: Bool { isOfManaged == isAllowed }
}

extension OwnApp.Stand {
  fileprivate var share: PassiveShare? {
    for step in test.steps {
      guard case .share(let share) = step.action, share.to == role.name else { continue }
      return PassiveShare(
        isOfManaged: scenario.app(ofGuest: share.from)?.usesSDK ?? false,
        isAllowed: step.expectation?.verdict == .allowed,
        isImport: step.expectation?.reasons.contains(.documentImport) ?? false)
    }
    return nil
  }

  /// A copy of the case in which an extension of the app receives the item. An extension acts for a managed account if
  /// one is signed in. In a case about another identity, the managed account is therefore not signed in.
  fileprivate var asExtension: Self {
    let switches = test.steps.compactMap { step -> IdentityReference? in
      guard let change = step.action.detail as? Action.IdentitySwitch, role.hasGuest(change.guest)
      else {
        return nil
      }
      return change.identity
    }
    guard let last = switches.last, !scenario.isManaged(last),
      let index = scenario.apps.firstIndex(where: { $0.name == role.name })
    else { return self }
    var stand = self
    stand.scenario.apps[index].signedIn.removeAll(where: scenario.isManaged)
    return stand
  }

  /// Returns a job that runs the case, with the shares to the replaced app redirected to `destination`.
  ///
  /// - Parameter isOnSheet: Whether the destination must first appear on the share sheet.
  fileprivate func job(
    to destination: String, type: String, isOnSheet: Bool,
    _ adjust: (inout Action.Share) -> Void
  ) -> CriterionJob.Kind {
    var stand = self
    stand.test.steps = test.steps.flatMap { step -> [Step] in
      guard case .share(var share) = step.action, share.to == role.name else { return [step] }
      share.item?.type = type
      adjust(&share)
      share.to = destination
      var step = step
      step.action = .share(share)
      // The expectations do not cover an extension's processing of the item.
      if destination != role.name {
        step.expectation?.received = nil
        step.expectation?.identity = nil
        step.expectation?.isManaged = nil
      }
      guard isOnSheet else { return [step] }
      let item = Action.ShareSheet.Item(fileName: share.item?.name, types: [type])
      let look = Step(
        position: step.position, action: .shareSheet(.init(from: share.from, items: [item])),
        expectation: Expectation(showing: [destination]))
      return [look, step]
    }
    return stand.job
  }
}

extension Action.Share {
  /// The only shared item, as the scenario states it; nil if the share has several items, or passes on an item that the
  /// sender has.
  fileprivate var item: Item? {
    get { if case .item(.stated(let item)) = content { item } else { nil } }
    set { if let newValue { content = .item(.stated(newValue)) } }
  }
}
