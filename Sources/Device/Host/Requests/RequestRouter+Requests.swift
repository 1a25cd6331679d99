internal import Model
internal import Policy
internal import Wire

/// Requests, passed to the owners of what they are about.
extension RequestRouter {
  func serve(_ message: GuestFrame, of guest: Guest) throws {
    guard message.request > guest.mailbox.lastRequest else {
      throw Violation(
        text: "request \(message.request) after request \(guest.mailbox.lastRequest), a replay")
    }
    guest.mailbox.lastRequest = message.request
    if let share = message.share {
      return owners.transfers.share(share, request: message.request, from: guest)
    }
    let whole = try message.message()
    let body = whole.body
    let row = body.row
    let actingIdentity = owners.identities.actingIdentity(of: guest, for: whole.task, row.taskKind)
    if case .share(let share) = body {
      return share.withFrame {
        owners.transfers.share(
          $0, request: message.request, from: guest, as: actingIdentity, madeOf: whole.sources)
      }
    }
    let pending = PendingRequest(
      number: owners.audit.nextRequest(), guest: guest, request: message.request,
      actingIdentity: actingIdentity)
    owners.audit.state(whole.sources, of: pending.number)
    guard !owners.access.refuseWhileLocked(row.lockedOperation, pending) else { return }
    if guest.app.isClosedKeyboard, let operation = row.reachingOperation {
      return owners.replies.refuse(pending, operation, .keyboardWithoutFullAccess)
    }
    if let operation = row.lockedOperation, guest.isBlocked(actingIdentity.identity) {
      return owners.replies.refuse(
        pending, operation, .accountBlocked, subject: actingIdentity.identity.accountID)
    }
    try serve(body, in: whole.task, pending)
  }

  private func serve(
    _ body: GuestMessage.Body, in task: TaskContext?, _ pending: PendingRequest
  ) throws {
    switch body {
    case .import(let source, let via): owners.transfers.importItem(from: source, via: via, pending)
    case .copy(let item, let scope): owners.transfers.copy(item, scope, pending)
    case .paste: owners.transfers.paste(pending)
    case .openURL(let url): owners.transfers.open(url, pending)
    case .use(let use): try owners.transfers.use(use, pending)
    case .canReceive(let item): owners.transfers.canReceive(item, pending)
    case .unlock(let unlock):
      guard unlock.pin.utf8.count <= 256 else { throw Violation(text: "a PIN of no user") }
      owners.access.unlock(unlock, pending)
    case .keychainAdd(let key, let value): owners.keychain.add(key, value, pending)
    case .keychainQuery(let key): owners.keychain.query(key, pending)
    case .keychainDelete(let key): owners.keychain.delete(key, pending)
    case .signIn(let account): owners.enrollment.signIn(account, pending)
    case .signOut(let account): owners.enrollment.signOut(account, pending)
    case .enroll(let body): owners.enrollment.enroll(body, pending)
    case .unenroll(let account, let wipes):
      owners.enrollment.unenroll(account, wipes: wipes, pending)
    case .acquireToken(let request): owners.tokens.acquireToken(request, pending)
    case .remediate(let account, let isSilent):
      owners.enrollment.remediate(account, isSilent: isSilent, pending)
    case .switchIdentity(let change): try owners.access.switchIdentity(change, in: task, pending)
    case .openFile(let open): owners.files.openFile(open, pending)
    case .moveFile(let file, let target): owners.files.moveFile(file, to: target, pending)
    case .removeFile(let file): owners.files.removeFile(file, pending)
    case .protectData(let account): owners.files.protectData(for: account, pending)
    case .unprotectData(let header): owners.files.unprotectData(header, pending)
    case .managedApp(let request): owners.management.answer(request, pending)
    case .shareItems(let items): try owners.extensions.share(items, pending)
    case .loadItem(let reference): owners.extensions.loadItem(reference, pending)
    case .completeExtension(let items): try owners.extensions.completeExtension(items, pending)
    case .cancelExtension(let why):
      try owners.extensions.cancelExtension(Self.sentence(why), pending)
    case .hello, .acknowledge, .share, .cancelLoad, .provided, .provideProgress,
      .identitySwitchAnswer, .delegateAnswer, .performed, .log, .failed, .release:
      throw Violation(text: "a message that asks for nothing, sent as a request")
    }
  }
}
