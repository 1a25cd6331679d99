internal import Activation
package import Analysis
package import Bundle
internal import Foundation
internal import Host
internal import Model
internal import Output
internal import Policy
package import Scenario
internal import UniformTypes
internal import Wire

/// A query for a share sheet in the scenario's initial state.
package struct ShareSheetQuestion: Sendable {
  package var sheet: Action.ShareSheet
  /// The sender's acting account: a scenario account, `unknown`, or `unset`. If nil, the sender keeps its
  /// initial identity.
  package var account: String?
  /// The acting accounts of other apps, by app name.
  package var roles: [String: String]

  package init(
    _ sheet: Action.ShareSheet, account: String? = nil, roles: [String: String] = [:]
  ) {
    self.sheet = sheet
    self.account = account
    self.roles = roles
  }

  /// Returns a copy in which each app name is replaced by the result of `name`.
  fileprivate func naming(_ name: (String) -> String) -> Self {
    var question = self
    question.sheet.from = name(sheet.from)
    question.roles = Dictionary(roles.map { (name($0.key), $0.value) }) { _, last in last }
    return question
  }
}

extension ScenarioRun {
  /// Returns the share sheet, with the scenario's apps installed and its accounts signed in. No guest starts.
  ///
  /// - Throws: ``RunError`` if the scenario has several devices, has no such app or account, or the app is
  ///   locked or cannot act for the account.
  package func shareSheet(
    _ question: ShareSheetQuestion, of prepared: PreparedScenario
  ) throws(RunError) -> Sheet {
    let resolved = try prepared.onlyDevice
    let file = resolved.scenario.file
    let question = question.naming(resolved.scenario.guestName)
    var settings = settings
    settings.journal = .off
    let device = try resolved.device(settings, in: "\(settings.folder)/share-sheet")
    defer { device.close() }
    try device.install(resolved, .fresh)
    do throws(SheetError) {
      var roles: [String: TaskContext] = [:]
      for (app, account) in question.roles {
        roles[app] = try Self.task(of: app, for: account, resolved.scenario, device)
      }
      let task = try question.account.map { account throws(SheetError) in
        try Self.task(of: question.sheet.from, for: account, resolved.scenario, device)
      }
      try Self.check(question.sheet.from, in: resolved.scenario)
      return try ShareSheets(resolved).sheet(
        question.sheet, as: task, on: device, roles: roles)
    } catch {
      throw RunError(.file(file), "\(error)", rule: "share-sheet")
    }
  }

  /// Checks that the scenario has an app, not an extension, with that name.
  private static func check(_ guest: String, in scenario: Scenario) throws(SheetError) {
    guard let app = scenario.app(ofGuest: guest) else {
      let names = scenario.apps.flatMap { $0.guests.prefix(1) }
      let hint = Suggestion.nearest(to: guest, among: names)
      throw SheetError(
        "no app is called `\(guest)`"
          + (hint.isEmpty
            ? "; the apps are \(names.map { "`\($0)`" }.joined(separator: ", "))" : hint))
    }
    guard app.extensionKind == nil else {
      throw SheetError("`\(guest)` is an extension, and extensions have no share sheet")
    }
  }

  private static func task(
    of guest: String, for account: String, _ scenario: Scenario, _ device: Device
  ) throws(SheetError) -> TaskContext {
    try check(guest, in: scenario)
    if account == "unset" || account == "unknown" {
      let task = TaskContext(thread: account == "unset" ? nil : "", window: "")
      let identity = device.shareSheet.sharer(guest, as: task)?.party.identity
      guard identity?.accountID == task.thread else {
        throw SheetError("`\(guest)` has one identity, which is not `\(account)`")
      }
      return task
    }
    guard let upn = scenario.account(named: account)?.upn else {
      throw SheetError("no account is called `\(account)`")
    }
    guard scenario.app(ofGuest: guest)?.signedIn.contains(account) == true else {
      throw SheetError("`\(account)` is not signed in to `\(guest)`")
    }
    let task = TaskContext(thread: upn, window: "")
    guard let identity = device.shareSheet.sharer(guest, as: task)?.party.identity,
      identity.account?.matches(identifier: upn) == true
    else { throw SheetError("`\(guest)` has one identity, and does not act for `\(account)`") }
    return task
  }
}

// MARK: - Sheets on a device

struct ShareSheets {
  private let bundles: [InstalledBundle]
  private let types: TypeLibrary

  init(_ resolved: ResolvedScenario) {
    bundles = InstalledBundle.all(of: resolved)
    types = TypeLibrary.system.adding(bundles.flatMap(\.declaredTypes))
  }

  /// Returns the share sheet that a guest of the device would see now.
  ///
  /// - Parameters:
  ///   - task: The task that shares; nil for the task in the front window.
  ///   - roles: The tasks of other apps, by app name. An app without a role keeps its identity.
  /// - Throws: ``SheetError`` if the device has no such guest, or the guest is locked.
  func sheet(
    _ sheet: Action.ShareSheet, as task: TaskContext?, on device: Device,
    roles: [String: TaskContext] = [:]
  ) throws(SheetError) -> Sheet {
    guard let sharer = device.shareSheet.sharer(sheet.from, as: task) else {
      throw SheetError("there is no guest `\(sheet.from)`")
    }
    if let lock = sharer.lock {
      throw SheetError("`\(sheet.from)` is locked by \(lock.deciding.rawValue), and shares nothing")
    }
    let contents = sheet.items.map { item in
      guard !item.types.isEmpty || item.fileName == nil else {
        return Sharing.Content(fileNamed: item.fileName ?? "", in: types)
      }
      return Sharing.Content(types: item.types, fileName: item.fileName)
    }
    let sharing = Sharing(
      senderName: sheet.from, sender: sharer.party, owner: sharer.owner,
      appPolicy: sharer.appPolicy, via: sheet.via, device: device.state,
      contents: contents, types: types)
    return Sheet(
      sharing, apps: bundles.compactMap { $0.app(on: device, sharer.owner, roles[$0.name]) },
      extensions: bundles.compactMap { $0.extension(on: device, sharer.owner) })
  }
}

struct SheetError: Error, CustomStringConvertible {
  /// The reason, in lower case and without a full stop.
  var description: String

  init(_ description: String) { self.description = description }
}

extension InstalledBundle {
  fileprivate func app(on device: Device, _ owner: Owner, _ task: TaskContext?) -> SheetApp? {
    guard kind == nil, let party = device.shareSheet.receivingParty(guest, of: owner, as: task)
    else { return nil }
    var app = SheetApp(
      name: name, party: party, team: description.team, documentTypes: documentTypes,
      schemes: description.schemes)
    app.ban = device.management.ban(on: guest).map { "\($0)" }
    return app
  }

  fileprivate func `extension`(on device: Device, _ owner: Owner) -> SheetExtension? {
    guard let kind, let party = device.shareSheet.receivingParty(guest, of: owner) else {
      return nil
    }
    var one = SheetExtension(
      name: name, kind: kind, party: party, containingApp: containingApp, rule: rule,
      isOpenInAction: isOpenInAction)
    one.ban = device.management.ban(on: guest).map { "\($0)" }
    return one
  }
}

extension Sheet {
  /// The destinations of the sheet, in the form that expectations use.
  var lines: [SheetLine] {
    destinations.map { destination in
      SheetLine(
        name: destination.name, bundleID: destination.bundleID,
        visibility: destination.visibility.line, why: destination.why)
    }
  }
}

extension SheetDestination.Visibility {
  fileprivate var line: SheetLine.Visibility {
    switch self {
    case .shown: .shown
    case .encrypted: .encrypted
    case .hidden: .hidden
    }
  }
}

// MARK: - Apps and extensions

/// The properties of an app or extension that share sheets depend on. Values in the scenario take precedence over
/// values in the bundle.
package struct InstalledBundle {
  /// The name shown in share sheets.
  var name: String
  var guest: String
  var description: AppDescription
  var kind: SheetExtension.Kind?
  /// The bundle id of the containing app. Empty for an app, and for an extension that names no containing app.
  var containingApp = ""
  var documentTypes: [String] = []
  var declaredTypes: [TypeDeclaration] = []
  var rule: ActivationRule?
  var isOpenInAction = false

  /// Returns the apps of a scenario, and the extensions that share sheets offer.
  static func all(of resolved: ResolvedScenario) -> [InstalledBundle] {
    resolved.apps.compactMap(InstalledBundle.init)
  }

  private init?(_ installed: ResolvedApp) {
    let (app, bundle) = (installed.specification, installed.bundle)
    guard let guest = app.guests.first else { return nil }
    name = installed.title
    self.guest = guest
    description = installed.description
    if let containing = description.kind.containingApp {
      guard let kind = Self.kind(installed.extensionKind) else { return nil }
      self.kind = kind
      containingApp = containing
    }
    documentTypes = app.documentTypes + Self.documentTypes(of: bundle)
    declaredTypes = bundle?.info.declaredTypes ?? []
    rule = app.activationRule ?? bundle?.info.appExtension?.activationRule
    isOpenInAction =
      app.isOpenInAction || bundle?.info.intuneSettings?.isOpenInAction ?? false
  }

  /// Returns the kind of extension; nil if no share sheet offers it.
  private static func kind(_ point: ExtensionPoint?) -> SheetExtension.Kind? {
    switch point {
    case .share: .share
    case .action, .service: .action
    case .notificationService, .keyboard, .safariWebExtension, .fileProvider, .packetTunnel,
      .singleSignOn, nil:
      nil
    }
  }

  /// Returns the content types of the documents that the app opens. If a document type in the bundle has only file name
  /// extensions, the result contains the content types of these extensions.
  package static func documentTypes(of bundle: AppBundle?) -> [String] {
    guard let info = bundle?.info else { return [] }
    let types = TypeLibrary.system.adding(info.declaredTypes)
    return info.documentTypes.flatMap { document in
      guard document.contentTypes.isEmpty else { return document.contentTypes }
      return document.filenameExtensions.compactMap { types.type(forFilenameExtension: $0) }
    }
  }
}
