internal import Policy
internal import Transfer
internal import Wire

/// Data that the receiving account may not have: the SDK asks a multi-identity app whether it takes it for an
/// unmanaged one (`identitySwitchRequired`, reason `documentImport`).
extension Device {
  func askToSwitch(
    _ receiver: Guest, _ share: StoredShare, _ transfer: TransferRequest, _ verdict: Verdict,
    _ switched: TransferRequest
  ) {
    share.origin.guest.unsettled += 1
    ask(receiver) { [unowned self] isAccepted in
      record(
        .identitySwitchRequired(
          guest: receiver.name, identity: "", reason: "documentImport", isAccepted: isAccepted))
      share.withParts { parts in
        if isAccepted {
          adoptUnknown(receiver)
          settle(
            parts, share.operation, share.ownership, share.origin, receiver,
            Ruling(switched, evaluate(importing: switched), arena: encoding), marks: .forUnmanaged)
        } else {
          settle(
            parts, share.operation, share.ownership, share.origin, receiver,
            ruling(transfer, verdict, share.origin.guest, receiver))
        }
      }
      settle(share.origin.guest)
    }
  }

  private func ask(_ receiver: Guest, _ answer: @escaping (Bool) -> Void) {
    let ask = nextAsk()
    if !receiver.isInDebt { startDebtTimer(receiver) }
    receiver.asks[ask] = .identitySwitch(answer)
    send(
      HostMessage(.identitySwitchRequired(ask: ask, account: "", reason: "documentImport")),
      to: receiver)
  }

  /// The app has switched, as it was asked to.
  private func adoptUnknown(_ guest: Guest) {
    guard guest.isRunning else { return }
    setIdentity(.unknown, of: guest)
    record(.identitySwitched(guest: guest.name, identity: "", isManaged: false))
  }
}
