package enum Action: Sendable, Equatable {
  case lifecycle(Lifecycle)
  case account(AccountStep)
  case wipeUser(UserWipe)
  case switchIdentity(IdentitySwitch)
  case unlock(Unlock)
  case device(ConditionChange)
  case status(AccountStatus)
  case configure(Configuration)
  case assign(Assignment)
  case savePolicy(PolicySaving)
  case assignConfiguration(ConfigurationAssignment)
  case configuration(ConfigurationLookup)
  case rename(Renaming)
  case restart(Restart)
  case fault(Fault)
  case delegate(DelegateCall)
  case residue(Residue)
  case enroll(Enrollment)
  case unenroll(Unenrollment)
  case remediate(Remediation)
  case acquireToken(Token)
  case service(ServiceChange)
  case conditionalAccess(ConditionalAccessTargeting)
  case share(Share)
  case shareSheet(ShareSheet)
  case `import`(Import)
  case use(SystemHandOff)
  case airDrop(AirDrop)
  case openReceived(OpenReceived)
  case copy(Copy)
  case paste(Paste)
  case openURL(OpenURL)
  case keychain(Keychain)
  case file(File)
  case declarations(Declarations)
  case managedApp(ManagedApp)
  case administratorEvents(AdministratorEvents)
  case served(Served)
  case log(LogReading)
  case user(UserAct)
  case callExtension(ExtensionCall)
  case wait(Wait)
  case advance(Advance)
  case concurrently(Concurrency)

  /// The action's parameters, with the properties common to all actions.
  package var detail: any StepDetail {
    switch self {
    case .lifecycle(let detail): detail
    case .account(let detail): detail
    case .wipeUser(let detail): detail
    case .switchIdentity(let detail): detail
    case .unlock(let detail): detail
    case .device(let detail): detail
    case .status(let detail): detail
    case .configure(let detail): detail
    case .assign(let detail): detail
    case .savePolicy(let detail): detail
    case .assignConfiguration(let detail): detail
    case .configuration(let detail): detail
    case .rename(let detail): detail
    case .restart(let detail): detail
    case .fault(let detail): detail
    case .delegate(let detail): detail
    case .residue(let detail): detail
    case .enroll(let detail): detail
    case .unenroll(let detail): detail
    case .remediate(let detail): detail
    case .acquireToken(let detail): detail
    case .service(let detail): detail
    case .conditionalAccess(let detail): detail
    case .share(let detail): detail
    case .shareSheet(let detail): detail
    case .import(let detail): detail
    case .use(let detail): detail
    case .airDrop(let detail): detail
    case .openReceived(let detail): detail
    case .copy(let detail): detail
    case .paste(let detail): detail
    case .openURL(let detail): detail
    case .keychain(let detail): detail
    case .file(let detail): detail
    case .declarations(let detail): detail
    case .managedApp(let detail): detail
    case .administratorEvents(let detail): detail
    case .served(let detail): detail
    case .log(let detail): detail
    case .user(let detail): detail
    case .callExtension(let detail): detail
    case .wait(let detail): detail
    case .advance(let detail): detail
    case .concurrently(let detail): detail
    }
  }
}

extension Action {
  /// Whether all devices carry out the action together. Time, the service and the administrator are not tied
  /// to one device.
  package var concernsEachDevice: Bool {
    switch self {
    case .assign, .savePolicy, .assignConfiguration, .rename, .status, .service, .conditionalAccess,
      .declarations, .residue, .wipeUser, .advance, .wait(.idle), .wait(.duration):
      true
    case .lifecycle, .account, .switchIdentity, .unlock, .device, .configure, .configuration,
      .restart, .fault, .delegate, .enroll, .unenroll, .remediate, .acquireToken, .share,
      .shareSheet, .import, .use, .airDrop, .openReceived, .copy, .paste, .openURL, .keychain,
      .file,
      .managedApp, .administratorEvents, .served, .log, .callExtension, .user, .wait(.item),
      .wait(.decision), .wait(.output),
      .concurrently:
      false
    }
  }

  /// The first word of a step.
  enum Word: String, CaseIterable {
    case launch, suspend, resume, kill, relaunch, stop
    case signIn, signOut, switchIdentity
    case shareSheet
    case share, `import`, drop, copy, paste, openURL
    case saveTo, openFrom, use, readContacts, airDrop, openReceived
    case keychainAdd, keychainQuery, keychainDelete
    case writeFile, appendFile, readFile, fileInfo, protectFile, moveFile, removeFile
    case protectData, unprotectData
    case unlock, device, accountStatus
    case wipe, configure, assign, savePolicy, rename, restart, fault, askApp, residue
    case register, login, unenroll, checkIn, remediate, acquireToken, enrollmentState
    case service, conditionalAccess
    case assignConfiguration, configuration
    case declarations, managedApp, administratorEvents, served, log, callExtension
    case tap, chooseActivity, pickDocument, cancel
    case wait, advance, concurrently

    var row: StepRow {
      switch self {
      case .launch: Lifecycle.launch
      case .suspend: Lifecycle.suspend
      case .resume: Lifecycle.resume
      case .kill: Lifecycle.kill
      case .relaunch: Lifecycle.relaunch
      case .stop: Lifecycle.stop
      case .signIn: AccountStep.signIn
      case .signOut: AccountStep.signOut
      case .switchIdentity: IdentitySwitch.step
      case .shareSheet: ShareSheet.step
      case .share: Share.share
      case .import: Import.step
      case .drop: Share.drop
      case .copy: Copy.step
      case .paste: Paste.step
      case .openURL: OpenURL.step
      case .saveTo: SystemHandOff.saveTo
      case .openFrom: SystemHandOff.openFrom
      case .use: SystemHandOff.use
      case .readContacts: SystemHandOff.readContacts
      case .airDrop: AirDrop.step
      case .openReceived: OpenReceived.step
      case .keychainAdd: Keychain.add
      case .keychainQuery: Keychain.query
      case .keychainDelete: Keychain.delete
      case .writeFile: File.writeRow
      case .appendFile: File.appendRow
      case .readFile: File.readRow
      case .fileInfo: File.infoRow
      case .protectFile: File.protectRow
      case .moveFile: File.moveRow
      case .removeFile: File.removeRow
      case .protectData: File.protectDataRow
      case .unprotectData: File.unprotectDataRow
      case .unlock: Unlock.step
      case .device: ConditionChange.step
      case .accountStatus: AccountStatus.step
      case .wipe: UserWipe.step
      case .configure: Configuration.step
      case .assign: Assignment.step
      case .savePolicy: PolicySaving.step
      case .rename: Renaming.step
      case .restart: Restart.step
      case .fault: Fault.step
      case .askApp: DelegateCall.step
      case .residue: Residue.step
      case .register: Enrollment.register
      case .login: Enrollment.login
      case .unenroll: Unenrollment.step
      case .checkIn: AccountStep.checkIn
      case .remediate: Remediation.step
      case .acquireToken: Token.step
      case .enrollmentState: AccountStep.enrollmentState
      case .service: ServiceChange.step
      case .conditionalAccess: ConditionalAccessTargeting.step
      case .assignConfiguration: ConfigurationAssignment.step
      case .configuration: ConfigurationLookup.step
      case .declarations: Declarations.step
      case .managedApp: ManagedApp.step
      case .administratorEvents: AdministratorEvents.step
      case .served: Served.step
      case .log: LogReading.step
      case .callExtension: ExtensionCall.step
      case .tap: UserAct.tap
      case .chooseActivity: UserAct.choose
      case .pickDocument: UserAct.pick
      case .cancel: UserAct.cancel
      case .wait: Wait.step
      case .advance: Advance.step
      case .concurrently: Concurrency.step
      }
    }
  }
}

// MARK: - Properties common to all actions

/// The parameters of an action, with the properties common to all actions.
package protocol StepDetail: Sendable, Equatable {
  /// The action as one line, as in reports.
  var text: String { get }
  /// The name of the acting guest, or the first of several; nil if there is none.
  var actingGuest: String? { get }
  /// The name or bundle id of the receiving guest; nil if there is none.
  var receiver: String? { get }
  /// The name of the account whose enrollment in the acting guest is affected; nil if there is none.
  var enrolledAccount: String? { get }
  /// The result that the action itself requires, as a phrase; nil if there is none. Without that result the
  /// step fails.
  var demand: String? { get }
}

extension StepDetail {
  package var actingGuest: String? { nil }
  package var receiver: String? { nil }
  package var enrolledAccount: String? { nil }
  package var demand: String? { nil }
}
