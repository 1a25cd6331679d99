internal import Model
internal import Policy
internal import Wire

/// Messages of guests that are not requests: answers, and reports.
extension RequestRouter {
  /// A guest's words on its end, for the journal, in one line and shortened: they must not fill the disk.
  static func sentence(_ why: String) -> String {
    String(decoding: why.utf8.prefix(RequestLimits.sentence), as: UTF8.self)
      .replacing("\n", with: " ")
  }

  func answer(_ body: GuestMessage.Body, by guest: Guest) throws {
    switch body {
    case .log(let text):
      owners.audit.wrote(
        guest, .log(String(decoding: text.utf8.prefix(RequestLimits.log), as: UTF8.self)))
    case .failed(let why): guest.process.failure = Self.sentence(why)
    case .provided(let ask, let item): try answerProvided(ask, item, by: guest)
    case .cancelLoad(let load): owners.extensions.cancelLoad(load, by: guest)
    case .provideProgress(let ask, let fraction):
      try owners.extensions.progress(fraction, of: ask, by: guest)
    case .identitySwitchAnswer(let ask, let isSuccess):
      guard case .identitySwitch(let answer)? = guest.mailbox.calls[ask] else {
        throw Violation(text: "an answer to a switch that nobody asked for")
      }
      guest.mailbox.calls[ask] = nil
      owners.deliveries.madeProgress(guest)
      answer(isSuccess)
    case .delegateAnswer(let ask, let isSuccess):
      try answerDelegate(ask, isSuccess, by: guest)
    case .performed(let ask, let failure, let found):
      try answerPerformed(
        ask, Performance(failure: failure.map(Self.sentence), found: found), guest)
    case .release(let offset): try guest.connection?.memory.release(offset)
    case .share, .shareItems, .import, .copy, .paste, .openURL, .use, .canReceive, .unlock,
      .keychainAdd, .keychainQuery, .keychainDelete, .signIn, .signOut, .enroll, .unenroll,
      .acquireToken, .remediate, .switchIdentity, .openFile, .moveFile, .removeFile, .protectData,
      .unprotectData, .managedApp, .loadItem, .completeExtension, .cancelExtension, .hello,
      .acknowledge:
      throw Violation(text: "a request without a number")
    }
  }

  private func answerPerformed(_ ask: UInt64, _ performance: Performance, _ guest: Guest) throws {
    let call = guest.mailbox.calls[ask]
    switch call {
    case .perform(let answer)?, .act(let answer)?:
      guest.mailbox.calls[ask] = nil
      answer(performance)
    case .prepared(let answer)?:
      guest.mailbox.calls[ask] = nil
      answer(performance)
      // A user who does not find what to tap closes the extension.
      if performance.failure != nil { owners.supervisor.supervise(guest, .stop) }
    case .scene(let answer)?:
      guest.mailbox.calls[ask] = nil
      owners.deliveries.madeProgress(guest)
      answer(performance)
    case .abandoned?: guest.mailbox.calls[ask] = nil
    case .item, .representation, .identitySwitch, .delegate, .wipe, nil:
      throw Violation(text: "a report of something that it was not told to do")
    }
  }

  private func answerProvided(_ ask: UInt64, _ item: Item?, by guest: Guest) throws {
    let answer: (Item?) -> Void
    switch guest.mailbox.calls[ask] {
    case .item(let body)?: answer = body
    case .representation(let provision)?: answer = provision.answer
    case .identitySwitch, .delegate, .wipe, .perform, .act, .prepared, .scene, .abandoned, nil:
      throw Violation(text: "an item that nobody asked for")
    }
    guest.mailbox.calls[ask] = nil
    owners.deliveries.madeProgress(guest)
    answer(item)
  }

  private func answerDelegate(_ ask: UInt64, _ isSuccess: Bool, by guest: Guest) throws {
    switch guest.mailbox.calls[ask] {
    case .delegate(let answer)?:
      guest.mailbox.calls[ask] = nil
      owners.deliveries.madeProgress(guest)
      answer(isSuccess)
    case .wipe(let answer)?:
      guest.mailbox.calls[ask] = nil
      answer(isSuccess)
    case .item, .representation, .identitySwitch, .perform, .act, .prepared, .scene, .abandoned,
      nil:
      throw Violation(text: "an answer to a call of its delegate that nobody made")
    }
  }
}
