internal import Diagnostics
internal import Foundation
internal import Host
internal import Model
internal import Policy
package import Scenario
package import ShareSheet
internal import Wire

/// A question about a share sheet, on a device as a scenario begins with it.
package struct ShareSheetQuestion: Sendable {
  package var sheet: Action.ShareSheet
  /// The scenario's account that the sender acts for, `unknown`, or `unset`; nil: the sender's identity when the
  /// scenario begins.
  package var account: String?
  /// The accounts that other apps act for, by the names of the apps.
  package var roles: [String: String]

  /// Creates a question about the share sheet that `sheet` describes.
  package init(
    _ sheet: Action.ShareSheet, account: String? = nil, roles: [String: String] = [:]
  ) {
    self.sheet = sheet
    self.account = account
    self.roles = roles
  }
}

extension ScenarioRun {
  /// The share sheet, with the scenario's apps installed and its accounts signed in. No guest starts.
  ///
  /// - Throws: ``RunError`` where the scenario has no such app or account, or the app cannot act for the account.
  package func shareSheet(
    _ question: ShareSheetQuestion, of prepared: PreparedScenario
  ) throws(RunError) -> Sheet {
    let blueprint = try prepared.onlyDevice
    let file = blueprint.scenario.file
    var settings = settings
    settings.journal = .off
    let device = try blueprint.device(settings, in: "\(settings.folder)/share-sheet")
    defer { device.close() }
    try device.install(blueprint, .fresh)
    do throws(SheetError) {
      var roles: [String: TaskContext] = [:]
      for (app, account) in question.roles {
        roles[app] = try Self.task(of: app, for: account, blueprint.scenario, device)
      }
      let task = try question.account.map { account throws(SheetError) in
        try Self.task(of: question.sheet.from, for: account, blueprint.scenario, device)
      }
      try Self.check(question.sheet.from, in: blueprint.scenario)
      return try ShareSheets(blueprint).sheet(
        question.sheet, as: task, on: device, roles: roles)
    } catch {
      throw RunError(.file(file), "\(error)", rule: "share-sheet")
    }
  }

  /// Checks that the scenario has an app of that name, and not an extension.
  ///
  /// - Throws: ``SheetError`` where the scenario has no such app.
  private static func check(_ guest: String, in scenario: Scenario) throws(SheetError) {
    guard let app = scenario.app(ofGuest: guest) else {
      let names = scenario.apps.flatMap { $0.guests.prefix(1) }
      let hint = Suggestion.nearest(to: guest, among: names)
      throw SheetError(
        "no app is called `\(guest)`"
          + (hint.isEmpty
            ? "; there are \(names.map { "`\($0)`" }.joined(separator: ", "))" : hint))
    }
    guard app.extensionKind == nil else {
      throw SheetError("`\(guest)` is an extension, which has no share sheet")
    }
  }

  /// The task of an app that acts for an account.
  private static func task(
    of guest: String, for account: String, _ scenario: Scenario, _ device: Device
  ) throws(SheetError) -> TaskContext {
    try check(guest, in: scenario)
    if account == "unset" { return TaskContext(thread: nil, window: "") }
    if account == "unknown" { return TaskContext(thread: "", window: "") }
    guard let upn = scenario.account(named: account)?.upn else {
      throw SheetError("no account is called `\(account)`")
    }
    guard scenario.app(ofGuest: guest)?.signedIn.contains(account) == true else {
      throw SheetError("`\(account)` is not signed in to `\(guest)`")
    }
    let task = TaskContext(thread: upn, window: "")
    guard let identity = device.shareSheet.sharer(guest, as: task)?.party.identity,
      identity.account?.isNamed(upn) == true
    else { throw SheetError("`\(guest)` has one identity, and does not act for `\(account)`") }
    return task
  }
}
