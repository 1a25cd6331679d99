internal import Encodings
internal import Enrollment
internal import EventLoop
package import Model
internal import Policy
internal import Wire

/// Removes an account and all of its data from an app, without affecting other data.
package final class WipeCoordinator: HostService {
  var didRemove: (_ account: Account, _ guest: Guest) -> Void = { _, _ in }
  private let limit: UInt64
  private let loop: EventLoop
  private let flow: FlowControl
  private let access: AccessController
  private let accounts: SignInCoordinator
  private let pasteboard: Pasteboard
  private let vacuum: Vacuum
  private let slices: TimeSlices
  /// The number of wipes in progress in apps. Wipes in runs of extensions are not counted.
  private var openWipes = 0

  var didDelete: ([FileLocation]) -> Void = { _ in }

  /// Creates the coordinator.
  ///
  /// - Parameter limit: The timeout in milliseconds, which applies to an app's start and to its answer separately.
  init(
    _ core: ServiceCore, within limit: UInt64, flow: FlowControl, access: AccessController,
    accounts: SignInCoordinator, pasteboard: Pasteboard, vacuum: Vacuum, slices: TimeSlices
  ) {
    self.limit = limit
    self.flow = flow
    self.access = access
    self.accounts = accounts
    self.pasteboard = pasteboard
    self.vacuum = vacuum
    self.slices = slices
    loop = core.supervisor.loop
    super.init(core)
  }

  /// Wipes an account from the app `name`, as an administrator does remotely.
  ///
  /// - Parameter done: Called when the wipe has ended; immediately if the account is not signed in to the app.
  /// - Throws: ``HostError`` if there is no such app.
  package func wipe(
    _ account: Account, in name: String, done: @escaping () -> Void
  ) throws(HostError) {
    let guest = try registry.find(name)
    transaction {
      guard let own = guest.accounts.signedIn.first(where: { $0.account.isSameUser(as: account) })
      else {
        return done()
      }
      wipe(own.account, in: guest, reason: .remote, done: done)
    }
  }

  package var isWiping: Bool { openWipes > 0 }

  func wipe(
    _ account: Account, in guest: Guest, reason: SelectiveWipe.Reason,
    done: @escaping () -> Void
  ) {
    if let wipe = guest.accounts.wipes.first(where: { $0.account.isSameUser(as: account) }) {
      return wipe.onEnd.append(done)
    }
    let wipe = Wipe(account, reason: reason, within: limit, onEnd: done)
    guest.accounts.wipes.append(wipe)
    if InstanceName(guest.name) == nil { openWipes += 1 }
    lock(account, in: guest)
    report(wipe, guest, "requested", reason.words)
    if reason == .remote {
      _ = guest.accounts.registration(of: account)?.machine.handle(.wipeOrdered, at: clock.now)
    }
    // An app's wipes run one at a time, because an app may answer concurrent wipes in any order.
    if guest.accounts.wipes.count == 1 { advance(wipe, of: guest, .start(reason)) }
  }

  /// Locks the account, so no process can act for it.
  private func lock(_ account: Account, in guest: Guest) {
    let identity = Identity.account(account)
    let verdict = Verdict([Reason(.accountBeingWiped, .device)])
    for instance in instances(of: guest) {
      instance.acting.unlock(identity)
      instance.acting.locks.append(IdentityLock(identity: identity, verdict: verdict))
    }
    policies.invalidateRulings()
    durability.persist { () throws(HostError) in try database.markWipe(of: account, in: guest.name)
    }
  }

  private func advance(_ wipe: Wipe, of guest: Guest, _ event: SelectiveWipe.Event) {
    for action in wipe.machine.handle(event) { perform(action, wipe, guest) }
  }

  private func perform(_ action: SelectiveWipe.Action, _ wipe: Wipe, _ guest: Guest) {
    switch action {
    case .startGuest(let milliseconds):
      wait(milliseconds, for: wipe, guest)
      wake(guest, for: wipe)
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

  // MARK: Asking the app

  private func wait(_ milliseconds: UInt64, for wipe: Wipe, _ guest: Guest) {
    if wipe.timer == nil {
      // Without a timer, the device would wait for the app forever.
      guard
        let timer = try? Timer(
          on: loop,
          { [unowned self, unowned guest, unowned wipe] in
            transaction { advance(wipe, of: guest, .timedOut) }
          })
      else { return advance(wipe, of: guest, .timedOut) }
      wipe.timer = timer
    }
    wipe.timer?.start(after: milliseconds)
  }

  /// Starts the app in the background if it is not running. A suspended app stays suspended, and the wipe continues as
  /// after a timeout.
  private func wake(_ guest: Guest, for wipe: Wipe) {
    guard !guest.isReady else { return advance(wipe, of: guest, .guestReady) }
    guard guest.state != .suspended else { return advance(wipe, of: guest, .timedOut) }
    guard !guest.isRunning else { return }
    wipe.startedGuest = true
    supervisor.start(guest)
    if !guest.isRunning { advance(wipe, of: guest, .timedOut) }
  }

  private func ask(_ wipe: Wipe, _ guest: Guest) {
    let answer = PendingCall.wipe { [weak self, weak guest, weak wipe] answer in
      guard let self, let guest, let wipe else { return }
      if let answer {
        advance(wipe, of: guest, .answered(answer))
      } else if case .exited(let cause) = guest.state {
        advance(wipe, of: guest, .guestExited(cause))
      }
    }
    deliveries.ask(guest, answer) {
      HostMessage(.delegateCall(ask: $0, .wipe, account: wipe.account.upn))
    }
  }

  /// Resumes wipes that an earlier run of the device did not finish. The app is not asked again.
  func resume(_ accounts: [Account], in guest: Guest) {
    for account in accounts {
      transaction { wipe(account, in: guest, reason: .signOut) {} }
    }
  }

  /// Continues the wipes that wait for the start of the app.
  func advanceWipes(of guest: Guest) {
    for wipe in guest.accounts.wipes where wipe.machine.state == .starting {
      advance(wipe, of: guest, .guestReady)
    }
  }

  /// Continues the wipes of an app that has exited. The wipes no longer wait for the app.
  func endWipes(of guest: Guest, reason cause: ExitCause) {
    for wipe in guest.accounts.wipes { advance(wipe, of: guest, .guestExited(cause)) }
  }

  // MARK: Deleting

  private func delete(_ wipe: Wipe, _ guest: Guest) {
    let instances = instances(of: guest)
    flow.beginDeletion(in: instances)
    // The guests are paused, so none can move a file into a folder that was already searched.
    let pauses = peers(of: instances).map(supervisor.pause)
    listFiles(of: wipe, guest) { [unowned self] areas in
      let erasure = FileErasure(
        areas: areas, owner: wipe.account, names: directory.names)
      loop.work {
        erasure.run()
      } then: { [unowned self] report in
        wipe.deleted.files = report.erased
        wipe.deleted.failures = report.errors.map(\.description).sorted()
        forgetFiles(areas, except: report.left) { [unowned self] in
          deleteKeychainItems(wipe, guest) { [unowned self] in
            transaction {
              for pause in pauses { supervisor.unpause(pause) }
              flow.endDeletion(in: instances)
              advance(wipe, of: guest, .deletionFinished(report))
            }
          }
        }
      }
    }
  }

  /// The number of database rows that are read or deleted at a time. A limit is needed because guests control the
  /// number of an account's rows.
  private static let sliceLength = 64

  private func listFiles(
    of wipe: Wipe, _ guest: Guest, then done: @escaping ([FileErasure.Area]) -> Void
  ) {
    let synced = Folders.scopes(syncedBy: guest.app.name)
    var areas: [FileErasure.Area] = []
    var rest = (scopes(of: guest) + synced)[...]
    var last: [UInt8] = []
    var paths: [[UInt8]] = []
    slices.inSlices { [unowned self] in
      guard let scope = rest.first, durability.error == nil else {
        done(areas)
        return false
      }
      var found: [FileLocation] = []
      durability.persist { () throws(HostError) in
        found = try database.files(
          ownedBy: wipe.account, in: scope, after: last, limit: Self.sliceLength)
      }
      paths += found.map(\.path)
      last = found.last?.path ?? []
      guard found.count < Self.sliceLength else { return true }
      areas.append(
        FileErasure.Area(
          root: "\(folders.root)/\(scope)", places: paths, isSynced: synced.contains(scope)))
      rest = rest.dropFirst()
      (last, paths) = ([], [])
      return true
    }
  }

  /// Deletes the recorded owners of deleted files from the database. Does not delete the recorded owners of the files
  /// in `left`, which could not be deleted.
  private func forgetFiles(
    _ areas: [FileErasure.Area], except left: [String: Set<[UInt8]>],
    then done: @escaping () -> Void
  ) {
    let prefix = folders.root.utf8.count + 1
    let gone = areas.flatMap { area in
      area.places.filter { left[area.root]?.contains($0) != true }.compactMap {
        FileLocation(scope: String(area.root.utf8.dropFirst(prefix)) ?? "", path: $0)
      }
    }
    didDelete(gone)
    var next = 0
    slices.inSlices { [unowned self] in
      let some = gone[next..<min(next + Self.sliceLength, gone.count)]
      next = some.endIndex
      durability.persist { () throws(HostError) in try database.forgetFiles(Array(some)) }
      guard next == gone.count || durability.error != nil else { return true }
      done()
      return false
    }
  }

  /// Returns the app and its running extensions.
  private func instances(of guest: Guest) -> [Guest] {
    registry.guests(actingFor: guest)
  }

  /// Returns the running guests that can change the files of `instances`: the instances themselves, and guests that
  /// share an app group with them.
  private func peers(of instances: [Guest]) -> [Guest] {
    let groups = Set(instances.flatMap(\.app.accessibleGroups))
    guard !groups.isEmpty else { return instances.filter(\.isRunning) }
    return registry.all.filter { guest in
      guest.isRunning
        && (instances.contains { $0 === guest }
          || !groups.isDisjoint(with: guest.app.accessibleGroups))
    }
  }

  /// Returns the paths of the containers and app groups of the app and its extensions, relative to the device's folder.
  func scopes(of guest: Guest) -> [String] {
    let members = registry.members(of: guest)
    var groups: [String] = []
    for group in members.flatMap(\.app.appGroups) where !groups.contains(group) {
      groups.append(group)
    }
    return members.map { Folders.scope(ofContainer: $0.name) }
      + groups.map(Folders.scope(ofGroup:))
  }

  /// Deletes the account's items from the keychain groups of the app and its extensions. A group is skipped if the
  /// account is signed in to another app with that group.
  private func deleteKeychainItems(
    _ wipe: Wipe, _ guest: Guest, then done: @escaping () -> Void
  ) {
    let members = registry.members(of: guest)
    let groups = Set(members.flatMap { (try? $0.app.keychainGroups().groups) ?? [] })
      .filter { group in
        // The order is reversed for speed: if a fleet is wiped in order, the last guests keep their
        // accounts longest.
        !registry.guests(inKeychainGroup: group).reversed().contains { other in
          other.accounts.signedIn.contains { $0.account.isSameUser(as: wipe.account) }
            && !members.contains { $0 === other }
        }
      }.sorted()
    slices.inSlices { [unowned self] in
      var count = 0
      durability.persist { () throws(HostError) in
        count = try database.deleteItems(
          ownedBy: wipe.account, in: groups, limit: Self.sliceLength)
      }
      wipe.deleted.keychainItems += count
      guard count < Self.sliceLength else { return true }
      done()
      return false
    }
  }

  private func finish(_ wipe: Wipe, _ guest: Guest, _ outcome: SelectiveWipe.Answer) {
    wipe.timer?.close()
    if let answer = outcome.words { report(wipe, guest, "answered", answer) }
    report(wipe, guest, "deleted", wipe.deleted.words)
    // If the device crashes after this point, its next run erases the deleted data.
    vacuum.schedule()
    pasteboard.clear(of: wipe.account) { bundleID in
      bundleID == guest.app.bundleID
        || registry.guest(ofBundle: bundleID).map(registry.app) === guest
    }
    accounts.remove(wipe.account, from: guest)
    forget(wipe.account, in: guest)
    if wipe.reason != .signOut {
      audit.record(.accountWiped(app: guest.app.bundleID, account: wipe.account.upn))
      transaction.notify(guest, .wipeDidComplete, wipe.account)
    }
    didRemove(wipe.account, guest)
    // A wipe ends when the database's files contain no deleted data, or their erasure is postponed.
    vacuum.run { [unowned self] in stop(wipe, guest) }
  }

  private func stop(_ wipe: Wipe, _ guest: Guest) {
    guard wipe.startedGuest, guest.isRunning else { return end(wipe, guest) }
    guest.process.onExit.append { [unowned self, unowned guest] in end(wipe, guest) }
    supervisor.supervise(guest, .stop)
  }

  private func end(_ wipe: Wipe, _ guest: Guest) {
    guest.accounts.wipes.removeAll { $0 === wipe }
    if InstanceName(guest.name) == nil { openWipes -= 1 }
    for done in wipe.onEnd { done() }
    if let next = guest.accounts.wipes.first, next.machine.state == .requested {
      advance(next, of: guest, .start(next.reason))
    }
  }

  /// Removes an account from the app's extensions, and deletes the record of the app's last check-in for the account.
  /// If the account is signed in to no other app, its key is destroyed.
  private func forget(_ account: Account, in guest: Guest) {
    for instance in instances(of: guest) where instance !== guest {
      instance.accounts.signedIn.removeAll { $0.account.isSameUser(as: account) }
      instance.acting.unlock(.account(account))
      access.dropActingIdentities(of: account, in: instance)
    }
    access.forgetCheckIn(of: guest.app, for: account)
    durability.persist { () throws(HostError) in
      try database.forgetCheckIn(of: account, in: guest.app.protectedBundleID)
      if try database.apps(signedInTo: account).isEmpty {
        try database.destroyAccountKey(of: account)
      }
    }
  }

  /// Records the wipe's progress in the journal, except at sign-out, which has its own events.
  private func report(_ wipe: Wipe, _ guest: Guest, _ state: String, _ detail: String?) {
    guard wipe.reason != .signOut else { return }
    audit.record(
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
    case .replaced: "the device's MDM user replaces this account in the app"
    }
  }
}

extension SelectiveWipe.Answer {
  /// The app's answer as a clause; nil if the app was not asked.
  fileprivate var words: String? {
    switch self {
    case .succeeded: "the app reports that it has removed all data"
    case .declined: "the app leaves the files to the SDK"
    case .crashed(let cause): "the app \(cause.text)"
    case .unresponsive: "the app did not answer in time"
    case .notRunning: "the app could not be asked, because it was suspended or did not start"
    case .notAsked: nil
    case .lied(let files):
      "the app reports that it has removed all data, but \(files.counting("file")) of the account remained"
    }
  }
}

extension Wipe.Deleted {
  fileprivate var words: String {
    let what = "\(files.counting("file")) and \(keychainItems.counting("keychain item"))"
    return failures.isEmpty ? what : "\(what); \(failures.joined(separator: "; "))"
  }
}

// MARK: - Wipes in progress

final class Wipe {
  let account: Account
  let reason: SelectiveWipe.Reason
  var machine: SelectiveWipe
  /// The timer for both timeouts: the app's start and its answer.
  var timer: Timer?
  /// Whether the app was started only in order to wipe the account.
  var startedGuest = false
  var deleted = Deleted()
  var onEnd: [() -> Void]

  struct Deleted {
    var files = 0
    var keychainItems = 0
    /// Descriptions of data that could not be deleted.
    var failures: [String] = []
  }

  init(
    _ account: Account, reason: SelectiveWipe.Reason, within milliseconds: UInt64,
    onEnd: @escaping () -> Void
  ) {
    self.account = account
    self.reason = reason
    machine = SelectiveWipe(within: milliseconds)
    self.onEnd = [onEnd]
  }
}
