package enum Action: Sendable, Equatable {
  case lifecycle(Lifecycle)
  case account(AccountStep)
  case wipeUser(UserWipe)
  case change(WorldChange)
  case configure(Configuration)
  case configuration(ConfigurationLookup)
  case restart(Restart)
  case fault(Fault)
  case delegate(DelegateCall)
  case residue(Residue)
  case share(Share)
  case shareSheet(ShareSheet)
  case declarations(Declarations)
  case managedApp(ManagedApp)
  case administratorEvents(AdministratorEvents)
  case served(Served)
  case log(LogReading)
  case request(RequestAction)
  case wait(Wait)
  case advance(Advance)
  case concurrently(Concurrency)
  case traffic(Traffic)

  package var detail: any StepDetail {
    switch self {
    case .lifecycle(let detail): detail
    case .account(let detail): detail
    case .wipeUser(let detail): detail
    case .change(let change): change.detail
    case .configure(let detail): detail
    case .configuration(let detail): detail
    case .restart(let detail): detail
    case .fault(let detail): detail
    case .delegate(let detail): detail
    case .residue(let detail): detail
    case .share(let detail): detail
    case .shareSheet(let detail): detail
    case .declarations(let detail): detail
    case .managedApp(let detail): detail
    case .administratorEvents(let detail): detail
    case .served(let detail): detail
    case .log(let detail): detail
    case .request(let action): action.detail
    case .wait(let detail): detail
    case .advance(let detail): detail
    case .concurrently(let detail): detail
    case .traffic(let detail): detail
    }
  }
}

/// A change to the environment of a device: its condition, the directory, the service, or the administrator's
/// assignments.
///
/// A change takes effect immediately. The device does not store changes, so they are repeated after another process has
/// taken over the device.
package enum WorldChange: Sendable, Equatable {
  case device(ConditionChange)
  case status(Action.AccountStatus)
  case assign(Action.Assignment)
  case savePolicy(Action.PolicySaving)
  case assignConfiguration(Action.ConfigurationAssignment)
  case rename(Action.Renaming)
  case service(ServiceChange)
  case conditionalAccess(Action.ConditionalAccessTargeting)
  case tenant(Action.TenantChange)

  package var detail: any StepDetail {
    switch self {
    case .device(let detail): detail
    case .status(let detail): detail
    case .assign(let detail): detail
    case .savePolicy(let detail): detail
    case .assignConfiguration(let detail): detail
    case .rename(let detail): detail
    case .service(let detail): detail
    case .conditionalAccess(let detail): detail
    case .tenant(let detail): detail
    }
  }
}

extension Action {
  /// The rows of all steps by subject, in the order of the schema and the documentation.
  static let subjects: KeyValuePairs<String, [StepRow]> = [
    "Guests": [
      Lifecycle.launch,
      Lifecycle.suspend,
      Lifecycle.resume,
      Lifecycle.kill,
      Lifecycle.relaunch,
      Lifecycle.stop,
    ],
    "Accounts": [
      AccountStep.signIn,
      AccountStep.signOut,
      IdentitySwitch.step,
      Unlock.step,
      AccountStatus.step,
      Renaming.step,
      DelegateCall.step,
    ],
    "Enrollment": [
      Enrollment.register,
      Enrollment.login,
      Unenrollment.step,
      AccountStep.checkIn,
      Remediation.step,
      Token.step,
      AccountStep.enrollmentState,
      ServiceChange.step,
    ],
    "Transfers": [
      Share.share,
      Import.step,
      Share.drop,
      Copy.step,
      Paste.step,
      OpenURL.step,
      Use.saveTo,
      Use.openFrom,
      Use.use,
      Use.readContacts,
      AirDrop.step,
      OpenReceived.step,
      ShareSheet.step,
      ExtensionCall.step,
      NamedRequest.step,
    ],
    "Stored data": [
      Keychain.add,
      Keychain.query,
      Keychain.delete,
      File.writeRow,
      File.appendRow,
      File.readRow,
      File.infoRow,
      File.protectRow,
      File.moveRow,
      File.removeRow,
      File.protectDataRow,
      File.unprotectDataRow,
    ],
    "The user of a program of your own": [
      Interaction.tap,
      Interaction.choose,
      Interaction.pick,
      Interaction.cancel,
    ],
    "Administrators": [
      Assignment.step,
      PolicySaving.step,
      ConditionalAccessTargeting.step,
      TenantChange.step,
      Configuration.step,
      ConfigurationAssignment.step,
      ConfigurationLookup.step,
      Declarations.step,
      ManagedApp.step,
      AdministratorEvents.step,
      UserWipe.step,
    ],
    "The device": [
      ConditionChange.step,
      Restart.step,
      Fault.step,
      Advance.step,
      Residue.step,
    ],
    "Control": [
      Wait.step,
      Concurrency.step,
      Traffic.step,
      LogReading.step,
      Served.step,
    ],
  ]

  static let rows = subjects.flatMap(\.value)

  private static let rowsByWord = Dictionary(uniqueKeysWithValues: rows.map { ($0.word, $0) })

  static func row(of word: String) -> StepRow? { rowsByWord[word] }
}

// MARK: - Properties common to all actions

/// The parameters of an action, with the properties common to all actions. Actions refer to accounts, policies,
/// configurations and servers by their names in the scenario.
///
/// All properties except ``text`` have a default that fits most actions.
package protocol StepDetail: Sendable, Equatable {
  /// The action as one line, as shown in reports.
  var text: String { get }
  /// The name of the acting guest, or of the first acting guest if there are several. The default is nil, for no guest.
  var actingGuest: String? { get }
  /// The name or bundle id of the receiving guest. The default is nil, for no guest.
  var receiver: String? { get }
  /// The name or bundle id of the guest that provides an item. The default is nil, for no guest.
  var provider: String? { get }
  /// The name of the account whose enrollment in the acting guest's app is observed after the step. The default is nil,
  /// for no account.
  var enrolledAccount: String? { get }
  /// The result that the action itself requires, as a phrase. Without that result, the step fails.
  /// The default is nil, for no required result.
  var demand: String? { get }
  /// Whether all devices perform the action together. This is true for actions on time, the service or the
  /// administrator, which all devices share. The default is false.
  var concernsEachDevice: Bool { get }
  /// The subject that the action inspects. The step's expectation is compared with it. The default is nil: the
  /// expectation is then compared with the outcome of the guest's request.
  var inspection: Inspection? { get }
  /// The path of the file or folder that the action names, relative to the scenario file. The
  /// default is nil, for no file.
  var namedFile: String? { get }
  /// Returns an action for each guest of the app that the action names. The default is nil, for an action that names at
  /// most one guest.
  func actions(ofGuestsIn scenario: Scenario) -> [Action]?
  /// Returns whether the action may change the configuration that MDM assigns to any of the guests.
  /// The default is false.
  func mayConfigure(anyOf guests: [String]) -> Bool
}

package protocol GuestStep: StepDetail {
  var guest: String { get }
}

extension GuestStep {
  package var actingGuest: String? { guest }
}

extension StepDetail {
  package var actingGuest: String? { nil }
  package var receiver: String? { nil }
  package var provider: String? { nil }
  package var enrolledAccount: String? { nil }
  package var demand: String? { nil }
  package var concernsEachDevice: Bool { false }
  package var inspection: Inspection? { nil }
  package var namedFile: String? { nil }
  package func actions(ofGuestsIn scenario: Scenario) -> [Action]? { nil }
  package func mayConfigure(anyOf guests: [String]) -> Bool { false }
}

/// The subject of an inspection. The step's expectation is compared with it.
package enum Inspection: Sendable {
  /// The answer that a managed app received. It may be a secret.
  case managedValue(Action.ManagedApp)
  /// The device's event log.
  case administratorEvents
  case output
  case serverRequests
  case token
  /// The status with which the SDK answered an enrollment call.
  case enrollmentAnswer
}
