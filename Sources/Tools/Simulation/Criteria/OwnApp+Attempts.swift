internal import Bundle
internal import Diagnostics
internal import Model
internal import Scenario

/// The jobs that put an app in the place of each role in the cases for a criterion.
extension OwnApp {
  /// The faults of the bundle that keep it from meeting a criterion, one sentence each.
  func faults(for criterion: Criterion) -> [String] {
    guard usesSDK || criterion.stage == .managedApp else {
      return ["`IntuneMAMSettings` is missing: the app does not integrate the Intune App SDK"]
    }
    return errors.filter { criterion.isHarmed(by: $0.rule, in: part(of: $0)) }
      .map(\.description)
  }

  /// The extension that a finding is about; nil: the app itself.
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
        if criterion.need == .wayIn { return receiving(stand) }
        if let action = scenario.openInAction(of: role, in: test) {
          return opening(stand, insteadOf: action.name)
        }
        return [roles.count > 1 ? stand.called("as \(role.name)").job : stand.job]
      } catch {
        return [.misfit(roles.count > 1 ? "as \(role.name): \(error.why)" : error.why)]
      }
    }
  }

  static let lacksOpenIn =
    "it opens documents, and no extension is an Open-In action (`OpenInActionExtension`), by which managed apps "
    + "would hand them over"

  /// The reason why the app's Open-In action cannot be tried; nil where it can.
  var openInFault: String? {
    if documentTypes.isEmpty {
      return "it has an Open-In action and opens no documents: `CFBundleDocumentTypes` is missing "
        + "or empty"
    }
    let parts = [bundle, openInAction].compactMap(\.self)
    return parts.first { $0.source.entitlements == nil }.map {
      "`\($0.source.path)` has no entitlements file, so the app group for documents is not known"
    }
  }

  /// The jobs that have the app open a document, one for each type that the app declares.
  private func opening(_ stand: Stand, insteadOf action: String) -> [CriterionJob.Kind] {
    let role = "as \(stand.role.name)"
    guard let name = openInAction?.info.identifier else {
      let isOpener = !documentTypes.isEmpty
      return [
        isOpener
          ? .fault("\(role): \(Self.lacksOpenIn)") : .misfit("\(role): it opens no documents")
      ]
    }
    if let fault = openInFault { return [.fault("\(role): \(fault)")] }
    return documentTypes.map { type in
      var stand = stand.called("\(role), \(type)")
      stand.test = stand.test.handing(type, to: name, insteadOf: action)
      return stand.job
    }
  }
}

extension OwnApp.Stand {
  /// The same stand, with the app's part in the name of its case.
  func called(_ part: String) -> Self {
    var stand = self
    stand.test.name += " (\(part))"
    return stand
  }
}

extension Scenario {
  /// The apps in whose place another app is put to the test.
  fileprivate func roles(in test: Case) -> [AppSpecification] {
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

  /// The Open-In action of `app` that the case hands something to; nil where there is none.
  fileprivate func openInAction(of app: AppSpecification, in test: Case) -> AppSpecification? {
    let destinations = test.steps.compactMap { step -> String? in
      if case .share(let share) = step.action { share.to } else { nil }
    }
    return apps.first {
      $0.containingApp == app.name && $0.isOpenInAction && destinations.contains($0.name)
    }
  }
}

extension Case {
  /// The case with a document of another type, and another extension that gets it.
  fileprivate func handing(_ type: String, to own: String, insteadOf other: String) -> Case {
    var test = self
    test.steps = steps.map { step in
      var step = step
      switch step.action {
      case .share(var share):
        guard share.to == other else { break }
        share.to = own
        if case .item(.stated(var item)) = share.content {
          item.type = type
          share.content = .item(.stated(item))
        }
        step.action = .share(share)
      case .shareSheet(var sheet):
        for index in sheet.items.indices { sheet.items[index].types = [type] }
        step.action = .shareSheet(sheet)
        step.expectation?.rename(other, to: own)
      case .lifecycle, .account, .wipeUser, .switchIdentity, .unlock, .device, .status, .configure,
        .assign, .savePolicy, .assignConfiguration, .configuration, .rename, .restart, .fault,
        .delegate, .residue, .enroll, .unenroll, .remediate, .acquireToken, .service,
        .conditionalAccess, .import, .use, .airDrop, .openReceived, .copy, .paste, .openURL,
        .keychain, .file, .declarations, .managedApp, .administratorEvents, .served, .log, .user,
        .callExtension, .wait, .advance, .concurrently:
        break
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
