internal import Policy
internal import Transfer
internal import Wire

/// Requests, to the owners of what they are about.
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
    let persona = owners.identities.persona(of: guest, for: whole.task, body.taskKind)
    if case .share(let share) = body {
      return share.withFrame {
        owners.transfers.share($0, request: message.request, from: guest, as: persona)
      }
    }
    let origin = Origin(
      number: owners.audit.nextRequest(), guest: guest, request: message.request, persona: persona)
    guard !owners.access.refuseWhileLocked(body.lockedOperation, origin) else { return }
    if guest.app.isClosedKeyboard, let operation = body.reachingOperation {
      return owners.replies.refuse(origin, operation, .keyboardWithoutFullAccess)
    }
    if let operation = body.lockedOperation, guest.isBlocked(persona.identity) {
      return owners.replies.refuse(
        origin, operation, .accountBlocked, subject: persona.identity.accountID)
    }
    try serve(body, origin)
  }

  private func serve(_ body: GuestMessage.Body, _ origin: Origin) throws {
    switch body {
    case .import(let source, let via): owners.transfers.importItem(from: source, via: via, origin)
    case .copy(let item): owners.transfers.copy(item, origin)
    case .paste: owners.transfers.paste(origin)
    case .openURL(let url): owners.transfers.open(url, origin)
    case .use(let use): try owners.transfers.use(use, origin)
    case .canReceive(let item): owners.transfers.canReceive(item, origin)
    case .unlock(let unlock):
      guard unlock.pin.utf8.count <= 256 else { throw Violation(text: "a PIN of no user") }
      owners.access.unlock(unlock, origin)
    case .keychainAdd(let key, let value): owners.keychain.add(key, value, origin)
    case .keychainQuery(let key): owners.keychain.query(key, origin)
    case .keychainDelete(let key): owners.keychain.delete(key, origin)
    case .signIn(let account): owners.enrollment.signIn(account, origin)
    case .signOut(let account): owners.enrollment.signOut(account, origin)
    case .enroll(let body): owners.enrollment.enroll(body, origin)
    case .unenroll(let account, let wipes):
      owners.enrollment.unenroll(account, wipes: wipes, origin)
    case .acquireToken(let request): owners.tokens.acquireToken(request, origin)
    case .remediate(let account, let isSilent):
      owners.enrollment.remediate(account, isSilent: isSilent, origin)
    case .switchIdentity(let change): try owners.access.switchIdentity(change, origin)
    case .openFile(let open): owners.files.openFile(open, origin)
    case .moveFile(let file, let target): owners.files.moveFile(file, to: target, origin)
    case .removeFile(let file): owners.files.removeFile(file, origin)
    case .protectData(let account): owners.files.protectData(for: account, origin)
    case .unprotectData(let header): owners.files.unprotectData(header, origin)
    case .managedApp(let request): owners.management.answer(request, origin)
    case .shareItems(let items): try owners.extensions.share(items, origin)
    case .loadItem(let reference): owners.extensions.loadItem(reference, origin)
    case .completeExtension(let items): try owners.extensions.completeExtension(items, origin)
    case .cancelExtension(let why): try owners.extensions.cancelExtension(why, origin)
    case .hello, .acknowledge, .share, .cancelLoad, .provided, .provideProgress,
      .identitySwitchAnswer, .delegateAnswer, .performed, .log, .failed:
      throw Violation(text: "a message that asks for nothing, sent as a request")
    }
  }
}
