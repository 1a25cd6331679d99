internal import Scenario

extension Case {
  /// The case for an app that always acts for its only account, the managed one.
  ///
  /// - Throws: ``Misfit`` where the case is about several identities.
  func withOneIdentity(
    of app: AppSpecification, in scenario: Scenario
  ) throws(Misfit) -> Case {
    var test = self
    test.steps = []
    for step in steps {
      // The app never acts for anybody else, whatever happens.
      guard step.expectation?.identity.map(scenario.isManaged) ?? true else { throw .oneIdentity }
      let isOwn = step.action.detail.actingGuest.map(app.hasGuest) ?? false
      guard isOwn else {
        test.steps.append(step)
        continue
      }
      switch step.action {
      case .switchIdentity(let change):
        guard scenario.isManaged(change.identity), change.window.isEmpty, change.others.isEmpty
        else { throw .oneIdentity }
        continue
      case .account(let account):
        switch account.kind {
        case .signIn, .signOut: throw .oneIdentity
        case .wipe, .checkIn, .enrollmentState: break
        }
      case .lifecycle, .wipeUser, .unlock, .device, .status, .configure, .assign, .savePolicy,
        .assignConfiguration, .configuration, .rename, .restart, .fault, .delegate, .residue,
        .enroll, .unenroll, .remediate, .acquireToken, .service, .conditionalAccess, .share,
        .shareSheet, .import, .use, .airDrop, .openReceived, .copy, .paste, .openURL, .keychain,
        .file, .declarations, .managedApp, .administratorEvents, .served, .log, .user,
        .callExtension, .wait, .advance, .concurrently:
        break
      }
      guard step.task == nil else { throw .oneIdentity }
      test.steps.append(step)
    }
    return test
  }
}

extension Misfit {
  fileprivate static let oneIdentity = Misfit(
    "it takes an app with several identities, and `IntuneMAMSettings` does not say `MultiIdentity`"
  )
}
