internal import Wire

/// The part of a guest that handles a message of the host.
enum MessageRecipient {
  case handshake(Handshake.Answer)
  case memory(PayloadMemory.Change)
  /// The request whose number the message bears.
  case request(RequestOutcome)
  /// The event loop, which stops.
  case loop
  /// The app. `receipt` is the number of a delivery, which the guest acknowledges; nil for other messages.
  case application(receipt: UInt64?)
}

extension HostMessage.Body {
  /// The part of the guest that handles the message.
  var recipient: MessageRecipient {
    switch self {
    case .welcome(let welcome): .handshake(.welcome(welcome))
    case .rejected(let reason): .handshake(.rejected(reason: reason))
    case .sharedMemory(let use, let count): .memory(.lent(use, count: count))
    case .release(let offset): .memory(.released(offset: offset))
    case .outcome(let outcome): .request(outcome)
    case .stop: .loop
    case .delivery(let delivery): .application(receipt: delivery.sequence)
    case .openedURL(let sequence, _, _, _): .application(receipt: sequence)
    case .extensionRequest, .loadProgress, .provideRepresentation, .cancelProvide, .provideItem,
      .identitySwitchRequired, .identityChanged, .delegateCall, .notice, .enrollmentNotice,
      .complianceNotice, .enrolledAccounts, .appConfiguration, .perform, .clockAdvanced,
      .managedAppChanged:
      .application(receipt: nil)
    }
  }
}
