internal import Host
internal import Scenario
internal import Transfer
internal import Wire

extension Action {
  /// The guest that acts; the first where several do; nil where none does.
  var guest: String? {
    switch self {
    case .lifecycle(let lifecycle): lifecycle.guests.first
    case .signIn(let change), .signOut(let change): change.guest
    case .switchIdentity(let change): change.guest
    case .share(let share): share.from
    case .shareSheet(let sheet): sheet.from
    case .import(let `import`): `import`.into
    case .use(let use): use.guest
    case .copy(let copy): copy.guest
    case .paste(let paste): paste.guest
    case .openURL(let open): open.from
    case .keychain(let keychain): keychain.guest
    case .unlock(let unlock): unlock.guest
    case .file(let file): file.guest
    case .wipe(let change): change.guest
    case .configure(let configuration): configuration.guest
    case .configuration(let lookup): lookup.guest
    case .delegate(let call): call.guest
    case .managedApp(let question): question.guest
    case .extensionCall(let call): call.guest
    case .enroll(let enrollment): enrollment.guest
    case .unenroll(let unenrollment): unenrollment.guest
    case .remediate(let remediation): remediation.guest
    case .acquireToken(let token): token.guest
    case .checkIn(let change), .enrollmentState(let change): change.guest
    case .wait, .advance, .device, .account, .assign, .assignConfiguration, .rename, .restart,
      .residue,
      .concurrently,
      .service, .conditionalAccess, .declarations, .administratorEvents, .served:
      nil
    }
  }

  /// The name of the account whose enrollment in the acting guest the action is about; nil: it is about none.
  var enrolledAccount: String? {
    switch self {
    case .enroll(let enrollment): enrollment.account
    case .unenroll(let unenrollment): unenrollment.account
    case .remediate(let remediation): remediation.account
    case .checkIn(let change), .enrollmentState(let change), .signIn(let change): change.account
    default: nil
    }
  }

  /// The guest that something is sent to.
  var receiver: String? {
    if case .share(let share) = self { share.to } else { nil }
  }

  /// What the acting guest asks of the device; nil where it asks nothing.
  func request(_ run: CaseRun) -> GuestMessage.Body? {
    switch self {
    case .signIn(let change): .signIn(account: run.world.accountID(change.account))
    case .signOut(let change): .signOut(account: run.world.accountID(change.account))
    case .switchIdentity(let change):
      .switchIdentity(change.request(run))
    case .share(let share): share.request
    case .import(let `import`): .import(source: `import`.from, via: `import`.via)
    case .use(let use): .use(use.request(run))
    case .copy(let copy): .copy(copy.item)
    case .paste: .paste
    case .openURL(let open):
      .openURL(Wire.OpenURL(open.url, isKnownManagedScheme: open.isKnownManagedScheme))
    case .keychain(let keychain): keychain.request
    case .unlock(let unlock):
      .unlock(
        Wire.Unlock(
          pin: unlock.pin ?? "", hasBiometrics: unlock.hasBiometrics,
          hasCredentials: unlock.hasCredentials, setsPIN: unlock.setsPIN,
          isCancelled: unlock.isCancelled))
    case .file(let file): file.request(run)
    case .managedApp(let question): .managedApp(question.request(on: run.device))
    case .extensionCall(let call):
      .use(
        Wire.Use(
          channel: Wire.Use.extensionCall, item: call.item, extensionID: call.extensionID))
    case .enroll(let enrollment):
      .enroll(
        Enroll(
          account: enrollment.account.map { run.world.accountID($0) }, isLogin: enrollment.isLogin))
    case .unenroll(let unenrollment):
      .unenroll(account: run.world.accountID(unenrollment.account), wipes: unenrollment.wipes)
    case .remediate(let remediation):
      .remediate(account: run.world.accountID(remediation.account), isSilent: remediation.isSilent)
    case .acquireToken(let token):
      .acquireToken(
        AcquireToken(
          account: run.world.accountID(token.account), resource: token.resource,
          capabilities: token.capabilities ?? run.world.capabilities(of: token.guest)))
    case .lifecycle, .wait, .advance, .device, .account, .wipe, .configure, .assign, .rename,
      .restart,
      .delegate, .residue, .concurrently, .shareSheet, .checkIn, .enrollmentState, .service,
      .conditionalAccess, .assignConfiguration, .configuration, .declarations,
      .administratorEvents, .served:
      nil
    }
  }

  /// What the acting guest does with a file; nil where it does something else.
  func work(_ run: CaseRun) -> FileWork? {
    if case .file(let file) = self { file.work(run) } else { nil }
  }
}

extension Action.File {
  private var reference: FileReference { FileReference(path, group: group ?? "") }

  /// nil where the guest itself works on the file.
  fileprivate func request(_ run: CaseRun) -> GuestMessage.Body? {
    switch operation {
    case .info: .openFile(OpenFile(reference, mode: .read, isQuestion: true))
    case .move(let target): .moveFile(reference, to: FileReference(target, group: group ?? ""))
    case .remove: .removeFile(reference)
    default: nil
    }
  }

  fileprivate func work(_ run: CaseRun) -> FileWork? {
    switch operation {
    case .write(let text): FileWork(.write, reference, content: Array(text.utf8))
    case .append(let text): FileWork(.append, reference, content: Array(text.utf8))
    case .read: FileWork(.read, reference)
    case .protect(let owner):
      FileWork(.protect, reference, owner: owner.accountID(run) ?? "")
    case .protectData(let text, let owner):
      FileWork(
        .protectData, reference, content: Array(text.utf8), owner: owner.accountID(run) ?? "")
    case .unprotectData: FileWork(.unprotectData, reference)
    case .info, .move, .remove: nil
    }
  }
}

extension TaskReference {
  func context(_ run: CaseRun) -> TaskContext {
    TaskContext(thread: thread?.accountID(run), window: window ?? "")
  }
}

extension Way {
  /// The way by which items take `channel`.
  fileprivate init(_ channel: Channel) {
    guard let way = Way.allCases.first(where: { $0.channel == channel }) else {
      preconditionFailure("no item is offered by `\(channel.rawValue)`")
    }
    self = way
  }
}

extension Action.IdentitySwitch {
  fileprivate func request(_ run: CaseRun) -> SwitchIdentity {
    SwitchIdentity(
      account: identity.accountID(run), level: isOfProcess ? .process : .window(window),
      others: others.map { run.world.accountID($0) })
  }
}

extension Action.Use {
  fileprivate func request(_ run: CaseRun) -> Wire.Use {
    Wire.Use(
      channel: channel.rawValue, location: location?.rawValue ?? "",
      account: account.accountID(run), item: item, isExternalPage: isExternalPage,
      source: source ?? "", extensionID: extensionID ?? "")
  }
}

extension Action.Share {
  fileprivate var request: GuestMessage.Body {
    switch content {
    case .item(let item):
      .share(Wire.Share(destination: to, item: item, via: via, way: Way(channel)))
    case .offer(let items): .shareItems(Wire.ShareItems(destination: to, items: items, via: via))
    }
  }
}

extension IdentityReference {
  /// nil for none, `""` for an unknown account.
  func accountID(_ run: CaseRun) -> String? {
    switch self {
    case .unset: nil
    case .unknown: ""
    case .account(let name): run.world.accountID(name)
    }
  }
}

extension Action.Keychain {
  fileprivate var request: GuestMessage.Body {
    let key = KeychainKey(group: group ?? "", service: service, account: account)
    switch operation {
    case .add: return .keychainAdd(key, value: Array((value ?? "").utf8))
    case .query: return .keychainQuery(key)
    case .delete: return .keychainDelete(key)
    }
  }
}

extension AppSpecification {
  /// How the ready-made guest is to answer.
  var behaviour: Behaviour {
    Behaviour(
      provides: provides.map { Item(text: $0) },
      acceptsIdentitySwitch: switchAnswer == .success, wipe: wipe.behaviour,
      addsAccounts: addAnswer == .success, blocksAccounts: blockAnswer == .success)
  }
}

extension AppSpecification.WipeAnswer {
  fileprivate var behaviour: WipeBehaviour {
    switch self {
    case .success: .success
    case .failed: .failed
    case .crash: .crash
    case .hang: .hang
    case .lie: .lie
    }
  }
}
