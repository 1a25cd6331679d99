internal import Enrollment
internal import EventLoop
internal import Policy
public import Transfer
internal import Wire

/// Removing an account with all that it owns from an app, and nothing of anybody else.
extension Device {
  /// Wipes an account from the app `name`, as an administrator does from afar.
  ///
  /// - Parameter done: called when it is done; at once where the account is not signed in there.
  /// - Throws: ``HostError`` where there is no such app.
  public func wipe(
    _ account: Account, in name: String, done: @escaping () -> Void
  ) throws(HostError) {
    guard let guest = guests[name] else {
      throw HostError(.folder, "the device has no app named `\(name)`")
    }
    turn {
      guard let own = guest.accounts.first(where: { $0.account.isSame(as: account) }) else {
        return done()
      }
      wipe(own.account, in: guest, because: .remote, done: done)
    }
  }

  /// Whether a wipe has not come to its end.
  public var isWiping: Bool { order.contains { !$0.wipes.isEmpty } }

  /// Whether something goes on that no request asked for: a wipe, files that are protected again, or an app that starts
  /// anew for its first policy.
  public var isBusy: Bool { isWiping || reprotections > 0 || !desk.restarting.isEmpty }

  /// Whether the account is on its way out of the guest's app.
  func isBeingWiped(_ account: Account?, in guest: Guest) -> Bool {
    guard let account else { return false }
    return appOf(guest).wipes.contains { $0.account.isSame(as: account) }
  }

  /// The app that holds what the guest acts for: an extension has no accounts of its own.
  func appOf(_ guest: Guest) -> Guest {
    guest.app.kind.containingApp.flatMap { bundles[$0] } ?? guest
  }

  func wipe(
    _ account: Account, in guest: Guest, because reason: SelectiveWipe.Reason,
    done: @escaping () -> Void
  ) {
    if let wipe = guest.wipes.first(where: { $0.account.isSame(as: account) }) {
      return wipe.onEnd.append(done)
    }
    let wipe = Wipe(account, because: reason, within: configuration.limits.wipe, onEnd: done)
    guest.wipes.append(wipe)
    close(account, in: guest)
    report(wipe, guest, "requested", reason.words)
    if reason == .remote {
      _ = knownRegistration(of: account, in: guest)?.machine.handle(.wipeOrdered, at: clock.now)
    }
    // One after the other: which of two an app has done with first is nobody's to know.
    if guest.wipes.count == 1 { advance(wipe, of: guest, .start(reason)) }
  }

  /// From here on nobody acts for the account.
  private func close(_ account: Account, in guest: Guest) {
    let identity = Identity.account(account)
    let verdict = Verdict([Reason(.accountBeingWiped, .device)])
    for run in guests.values where appOf(run) === guest {
      run.unlock(identity)
      run.locks.append(Guest.Lock(identity: identity, verdict: verdict))
    }
    generation += 1
    persist { () throws(HostError) in try database.markWipe(of: account, in: guest.name) }
  }

  private func advance(_ wipe: Wipe, of guest: Guest, _ event: SelectiveWipe.Event) {
    for action in wipe.machine.handle(event) { perform(action, wipe, guest) }
  }

  private func perform(_ action: SelectiveWipe.Action, _ wipe: Wipe, _ guest: Guest) {
    switch action {
    case .startGuest(let milliseconds):
      wait(milliseconds, for: wipe, guest)
      rouse(guest, for: wipe)
    case .ask(let milliseconds):
      wait(milliseconds, for: wipe, guest)
      report(wipe, guest, "asked", nil)
      ask(wipe, guest)
    case .stopWaiting:
      wipe.timer?.close()
      wipe.timer = nil
    case .delete: delete(wipe, guest)
    case .finish(let outcome): finish(wipe, guest, outcome)
    }
  }

  // MARK: asking

  private func wait(_ milliseconds: UInt64, for wipe: Wipe, _ guest: Guest) {
    if wipe.timer == nil {
      // Without a timer the app would be waited for without end.
      guard
        let timer = try? Timer(
          on: loop,
          { [unowned self, unowned guest, unowned wipe] in
            turn { advance(wipe, of: guest, .timedOut) }
          })
      else { return advance(wipe, of: guest, .timedOut) }
      wipe.timer = timer
    }
    wipe.timer?.start(after: milliseconds)
  }

  /// Brings the app up in the background where it does not run. One that is suspended stays so.
  private func rouse(_ guest: Guest, for wipe: Wipe) {
    guard !guest.isReady else { return advance(wipe, of: guest, .guestReady) }
    guard guest.state != .suspended else { return advance(wipe, of: guest, .timedOut) }
    guard !guest.isRunning else { return }
    wipe.startedGuest = true
    start(guest)
    if !guest.isRunning { advance(wipe, of: guest, .timedOut) }
  }

  private func ask(_ wipe: Wipe, _ guest: Guest) {
    let answer = Guest.Ask.wipe { [weak self, weak guest, weak wipe] answer in
      guard let self, let guest, let wipe else { return }
      if let answer {
        advance(wipe, of: guest, .answered(answer))
      } else if case .exited(let cause) = guest.state {
        advance(wipe, of: guest, .guestExited(cause))
      }
    }
    ask(guest, answer) {
      HostMessage(.delegateCall(ask: $0, .wipe, account: wipe.account.upn))
    }
  }

  /// An app that was started for a wipe is ready, or was running when the wipe began.
  func advanceWipes(of guest: Guest) {
    for wipe in guest.wipes where wipe.machine.state == .starting {
      advance(wipe, of: guest, .guestReady)
    }
  }

  /// An app that was to be asked is gone.
  func endWipes(of guest: Guest, because cause: ExitCause) {
    for wipe in guest.wipes { advance(wipe, of: guest, .guestExited(cause)) }
  }

  // MARK: deleting

  private func delete(_ wipe: Wipe, _ guest: Guest) {
    let scopes = scopes(of: guest)
    var places: [FilePlace] = []
    persist { () throws(HostError) in
      places = try database.files(ownedBy: wipe.account, scopes: scopes)
    }
    let areas = scopes.map { scope in
      FileErasure.Area(
        root: "\(folders.root)/\(scope)", places: places.filter { $0.scope == scope }.map(\.path))
    }
    let erasure = FileErasure(areas: areas, owner: wipe.account)
    loop.work {
      erasure.run()
    } then: { [unowned self, places] report in
      turn {
        // What could not be deleted stays known for whose it is.
        let left = Set(report.errors.map { "\($0.container)/\($0.path)" })
        let gone = places.filter { !left.contains("\(folders.root)/\($0.scope)/\($0.path)") }
        persist { () throws(HostError) in try database.forgetFiles(gone) }
        wipe.deleted.files = report.erased
        wipe.deleted.failures = report.errors.map(\.description).sorted()
        deleteKeychainItems(wipe, guest)
        advance(wipe, of: guest, .deletionFinished(report))
      }
    }
  }

  /// The folders in which the app and its extensions keep files.
  func scopes(of guest: Guest) -> [String] {
    let extensions = order.filter { $0.app.kind.containingApp == guest.app.bundleID }
    let members = [guest] + extensions
    var groups: [String] = []
    for group in members.flatMap(\.app.appGroups) where !groups.contains(group) {
      groups.append(group)
    }
    return members.map { Folders.scope(ofContainer: $0.name) }
      + groups.map(Folders.scope(ofGroup:))
  }

  /// Deletes the account's items from the groups of the app, but for those that it shares with another app that
  /// the account is signed in to.
  private func deleteKeychainItems(_ wipe: Wipe, _ guest: Guest) {
    let members = [guest] + order.filter { $0.app.kind.containingApp == guest.app.bundleID }
    let others = order.filter { other in
      !members.contains { $0 === other }
        && other.accounts.contains { $0.account.isSame(as: wipe.account) }
    }
    let kept = Set(others.flatMap { (try? $0.app.keychainGroups().groups) ?? [] })
    let groups = Set(members.flatMap { (try? $0.app.keychainGroups().groups) ?? [] })
    persist { () throws(HostError) in
      wipe.deleted.keychainItems = try database.deleteItems(
        ownedBy: wipe.account, in: groups.subtracting(kept).sorted())
    }
  }

  private func finish(_ wipe: Wipe, _ guest: Guest, _ outcome: SelectiveWipe.Outcome) {
    wipe.timer?.close()
    if let answer = outcome.words { report(wipe, guest, "answered", answer) }
    report(wipe, guest, "deleted", wipe.deleted.words)
    clearPasteboard(of: wipe.account, guest)
    signOut(wipe.account, of: guest)
    forget(wipe.account, in: guest)
    if wipe.reason != .signOut {
      record(.accountWiped(app: guest.app.bundleID, account: wipe.account.upn))
      tell(guest, .wipeDidComplete, wipe.account)
    }
    closeRegistration(of: wipe.account, in: guest)
    guard wipe.startedGuest, guest.isRunning else { return end(wipe, guest) }
    guest.onExit.append { [unowned self, unowned guest] in end(wipe, guest) }
    supervise(guest, .stop)
  }

  private func end(_ wipe: Wipe, _ guest: Guest) {
    guest.wipes.removeAll { $0 === wipe }
    for done in wipe.onEnd { done() }
    if let next = guest.wipes.first, next.machine.state == .requested {
      advance(next, of: guest, .start(next.reason))
    }
  }

  private func clearPasteboard(of account: Account, _ guest: Guest) {
    guard let content = pasteboard.content,
      content.ownership.owner.account?.isSame(as: account) ?? false,
      content.participant.app == guest.app.bundleID
        || bundles[content.participant.app].map(appOf) === guest
    else { return }
    pasteboard.content = nil
  }

  /// What the database still knows of the account, once the app has let go of it.
  private func forget(_ account: Account, in guest: Guest) {
    for run in guests.values where appOf(run) === guest && run !== guest {
      run.accounts.removeAll { $0.account.isSame(as: account) }
      run.unlock(.account(account))
      dropPersonas(of: account, in: run)
    }
    persist { () throws(HostError) in
      try database.forgetCheckIn(of: account, in: protectedBundle(of: guest.app))
      if try database.apps(signedInTo: account).isEmpty {
        try database.destroyAccountKey(of: account)
      }
    }
    eraseTraces()
  }

  /// Sees to it that nothing that was deleted is left in the database's files; where somebody reads it just now,
  /// when the device goes down.
  func eraseTraces() {
    persist { () throws(HostError) in hasTraces = try !database.eraseTraces() }
  }

  /// Tells the journal how far a wipe has come; a sign-out speaks for itself.
  private func report(_ wipe: Wipe, _ guest: Guest, _ state: String, _ detail: String?) {
    guard wipe.reason != .signOut else { return }
    record(
      .wipeAdvanced(
        app: guest.app.bundleID, account: wipe.account.upn, state: state, detail: detail))
  }
}

extension SelectiveWipe.Reason {
  fileprivate var words: String {
    switch self {
    case .remote: "by the administrator"
    case .conditionalLaunch: "by the policy's conditional launch"
    case .signOut: "by signing out"
    case .notAllowed: "the app's configuration no longer allows the account"
    case .unenrolled: "by the app"
    case .notCompliant: "the account cannot become compliant"
    }
  }
}

extension SelectiveWipe.Outcome {
  /// nil: the app was not to be asked.
  fileprivate var words: String? {
    switch self {
    case .succeeded: "the app says that it has removed everything"
    case .declined: "the app leaves the files to the SDK"
    case .crashed(let cause): "the app \(cause.text)"
    case .unresponsive: "the app did not answer in time"
    case .notRunning: "the app could not be asked"
    case .notAsked: nil
    case .lied(let files):
      "the app says that it has removed everything, and \(files) \(files == 1 ? "file" : "files") of the account were there"
    }
  }
}

extension Wipe.Deleted {
  fileprivate var words: String {
    let what =
      "\(files) \(files == 1 ? "file" : "files") and "
      + "\(keychainItems) keychain \(keychainItems == 1 ? "item" : "items")"
    return failures.isEmpty ? what : "\(what); \(failures.joined(separator: "; "))"
  }
}
