internal import EventLoop
internal import Glibc
internal import Model

/// The watch over the disk: guests write to their containers themselves, and there is no event for it.
///
/// While guests run, the containers that they may write to are looked at on another thread, again and again, and at
/// once when the free space of the file system falls. The ``DiskLedger`` names the guests to end for what is found.
final class DiskWatch {
  private let folders: Folders
  private let registry: GuestRegistry
  private let loop: EventLoop
  private let freeSpace: (String) -> FreeSpace?
  private var ledger: DiskLedger
  private var schedule = LookSchedule()
  private var timer: Timer?
  private var isLooking = false
  /// The earliest time for the next look, so that many guests do not keep the loop busy.
  private var nextLook: UInt64 = 0
  /// The room that files without a name take, as it was found last, and the time to search for them again.
  private var unlinked: [String: DiskUsage] = [:]
  private var nextSearch: UInt64 = 0
  /// Whether the containers that an earlier run of the device has left are known.
  private var knowsContainers = false
  /// The free space at the last look.
  private var freeBefore: FreeSpace?
  /// Ends a guest that has taken more than it may.
  var end: (Guest, ExitCause) -> Void = { _, _ in }

  /// Time between two checks for whether a look is due, in milliseconds.
  static let tick: UInt64 = 20
  /// Number of entries in one look after which no further container is begun.
  private static let budget = 65_536

  /// Creates a watch, which begins with the first guest.
  ///
  /// - Parameter freeSpace: the free space of the file system at a path.
  init(
    _ quota: DiskQuota, folders: Folders, registry: GuestRegistry, loop: EventLoop,
    freeSpace: @escaping (String) -> FreeSpace? = { FreeSpace(at: $0) }
  ) {
    self.folders = folders
    self.registry = registry
    self.loop = loop
    self.freeSpace = freeSpace
    let free = freeSpace(folders.root)
    freeBefore = free
    ledger = DiskLedger(quota, reserve: min(quota.reserve, (free?.bytes ?? Int.max) / 2))
  }

  /// Watches until no guest runs any more.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses a timer.
  func watch() throws(EventLoopError) {
    if timer == nil { timer = try Timer(on: loop) { [unowned self] in check() } }
    if timer?.isActive == false { timer?.start(after: Self.tick, every: Self.tick) }
  }

  // MARK: looking

  private func check() {
    guard registry.all.contains(where: \.isRunning) else {
      timer?.stop()
      return
    }
    guard !isLooking else { return }
    let free = freeSpace(folders.root)
    if hasFallen(free) {
      hasten()
      freeBefore = free
    } else if let free, let before = freeBefore, free.bytes > before.bytes {
      freeBefore = free
    }
    guard loop.now >= nextLook else { return }
    nextLook = loop.now + LookSchedule.shortest * UInt64(1 + registry.all.count / 50)
    let scopes = schedule.due(watched, at: loop.now)
    if !scopes.isEmpty { look(at: scopes) }
  }

  private func hasten() {
    schedule.hasten(to: loop.now)
    nextLook = 0
    nextSearch = 0
  }

  /// Whether the file system has lost more than is left to chance since the last look.
  private func hasFallen(_ free: FreeSpace?) -> Bool {
    guard let free, let before = freeBefore else { return false }
    let isShort = free.bytes < 2 * ledger.reserve
    let step = isShort ? max(1, ledger.reserve / 64) : max(1, ledger.quota.containerBytes / 64)
    return before.bytes - free.bytes >= step
      || before.files - free.files >= max(1, ledger.quota.containerFiles / 64)
  }

  /// The containers to look at: all, until they are known, then those of guests that run or were just ended.
  private var watched: Set<String> {
    guard knowsContainers else { return Set(containers) }
    return Set(tenants.flatMap(\.scopes)).union(ledger.unsettled)
  }

  private var containers: [String] {
    let parents = [Folders.scope(ofContainer: ""), Folders.scope(ofGroup: "")]
    return parents.flatMap { parent in
      let folder = try? ContainerFolder(path: "\(folders.root)/\(parent)")
      return ((try? folder?.names(of: [])) ?? []).map { parent + $0 }
    }
  }

  private func look(at scopes: [String]) {
    isLooking = true
    let isFirst = !knowsContainers
    knowsContainers = true
    let tenants = tenants
    let look = DiskLook(
      root: folders.root, scopes: scopes, budget: isFirst ? .max : Self.budget,
      limit: 4 * ledger.quota.containerFiles, search: searchIsDue(among: tenants.count))
    loop.work(
      { look.run() },
      then: { [weak self] found in
        guard let self, timer?.isClosing == false else { return }
        isLooking = false
        if let unlinked = found.unlinked { self.unlinked = unlinked }
        take(found.finding.adding(unlinked), tenants, isFirst ? .known : .judged)
      })
  }

  /// The treatment of what a look has found.
  private enum Treatment {
    /// It was there before any guest began: growth counts from it.
    case known
    case judged
  }

  private func take(
    _ finding: DiskLedger.Finding, _ tenants: [DiskLedger.Tenant], _ treatment: Treatment
  ) {
    switch treatment {
    case .known: ledger.adopt(finding.usages)
    case .judged: judge(finding, tenants)
    }
    for (scope, share) in ledger.shares(of: finding.usages.keys) {
      let usage = finding.usages[scope] ?? DiskUsage()
      schedule.didLook(at: scope, usage, share: share, at: loop.now)
    }
    if treatment == .known { hasten() }
  }

  /// The extent of the next look: with many guests the search for files without a name takes longer, and is done more
  /// seldom. The ready-made guest, which scripts run in, keeps none.
  private func searchIsDue(among guests: Int) -> DiskLook.Search {
    guard loop.now >= nextSearch, registry.all.contains(where: \.runsExecutable) else {
      return .foldersOnly
    }
    nextSearch = loop.now + LookSchedule.longest * UInt64(1 + guests / 50)
    return .unlinkedFiles
  }

  private func judge(_ finding: DiskLedger.Finding, _ tenants: [DiskLedger.Tenant]) {
    for eviction in ledger.judge(finding, tenants) {
      guard let guest = registry[eviction.guest] else { continue }
      end(guest, .diskQuota(eviction.excess.description))
    }
  }

  private var tenants: [DiskLedger.Tenant] {
    registry.all.filter(\.isRunning).map { guest in
      let groups = guest.app.accessibleGroups.map(Folders.scope(ofGroup:))
      let isAlone = groups.isEmpty && guest.app.kind == .app
      // A guest that shares no container answers for all that is in it.
      let written =
        isAlone ? 0 : guest.process.handle.map { ProcessFolder(of: $0.pid).writtenBytes } ?? 0
      return DiskLedger.Tenant(
        name: guest.name, scopes: [Folders.scope(ofContainer: guest.app.name)] + groups,
        written: written, recorded: guest.recordedBytes, isEnding: guest.isEnding)
    }
  }

  /// The last known usage of a container; nil where it was never looked at.
  func usage(of scope: String) -> DiskUsage? { ledger.usage(of: scope) }

  // MARK: the device's own calls

  /// Counts what the device is about to put into a container.
  ///
  /// - Throws: ``DiskExcess`` where it is more than may be there.
  func admit(_ more: DiskUsage, to scope: String) throws(DiskExcess) {
    do throws(DiskExcess) {
      try ledger.admit(more, to: scope, free: freeSpace(folders.root)?.bytes)
    } catch {
      // The guest may have removed files since the last look.
      hasten()
      throw error
    }
  }

  /// Checks that the disk has room for bytes that the device is about to save for a guest outside of containers.
  ///
  /// - Throws: ``DiskExcess`` where too little would be left for the device.
  func admit(savedBytes: Int) throws(DiskExcess) {
    try ledger.admit(savedBytes, free: freeSpace(folders.root)?.bytes)
  }

  /// Number of files and folders that one container may hold.
  var mostFiles: Int { ledger.quota.containerFiles }

  /// Discounts a file that the device has removed from a container.
  func didRemoveFile(from scope: String) { ledger.remove(DiskUsage(files: 1), from: scope) }
}

extension Guest {
  /// Whether the guest runs, and is a program of its own.
  var runsExecutable: Bool {
    guard isRunning, case .executable = app.program else { return false }
    return true
  }

  /// Whether the guest is being killed, or has exited.
  fileprivate var isEnding: Bool {
    switch state {
    case .stopping(_, .stopped): false
    case .stopping, .exited: true
    case .spawning, .ready, .suspended, nil: false
    }
  }
}

// MARK: - Schedule

/// The times at which containers are looked at: the fuller a container is, and the more it changes, the sooner again.
/// Times are in milliseconds of the loop's clock.
struct LookSchedule {
  private struct Appointment {
    var due: UInt64
    var interval: UInt64
    var usage: DiskUsage
  }

  private var appointments: [String: Appointment] = [:]

  /// The interval of a container that holds little.
  static let longest: UInt64 = 1_000
  /// The interval of a container that changes and has nearly all that is allowed.
  static let shortest: UInt64 = 60
  /// The interval of a container that does not change.
  private static let idle: UInt64 = 8_000

  /// Containers whose time has come, those longest due first; a container that was never looked at is due at once.
  func due(_ scopes: some Sequence<String>, at now: UInt64) -> [String] {
    scopes.map { (scope: $0, due: appointments[$0]?.due ?? 0) }
      .filter { $0.due <= now }
      .sorted { ($0.due, $0.scope) < ($1.due, $1.scope) }
      .map(\.scope)
  }

  /// Makes every container due, because the disk has changed more than is known of.
  mutating func hasten(to now: UInt64) {
    appointments = appointments.mapValues { appointment in
      var sooner = appointment
      sooner.due = min(now, appointment.due)
      return sooner
    }
  }

  /// Takes note of a look.
  ///
  /// - Parameter share: the part of what is allowed that was found, 0 to 1 or more.
  mutating func didLook(at scope: String, _ usage: DiskUsage, share: Double, at now: UInt64) {
    let before = appointments[scope]
    let interval =
      before?.usage == usage
      ? min(Self.idle, (before?.interval ?? Self.longest) * 2)
      : Self.interval(share: share)
    appointments[scope] = Appointment(due: now + interval, interval: interval, usage: usage)
  }

  /// Halved with each fifth of what is allowed.
  static func interval(share: Double) -> UInt64 {
    max(shortest, longest >> UInt64(max(0, min(4, share * 5))))
  }
}

// MARK: - Looks

/// One look at containers, as a value that may go to another thread.
private struct DiskLook: Sendable {
  /// Path of the device's folder, links resolved.
  let root: String
  /// Scopes of the containers, the most urgent first.
  let scopes: [String]
  /// Number of entries after which no further container is begun.
  let budget: Int
  /// Number of entries of one container after which no more are counted.
  let limit: Int
  let search: Search

  /// The extent of a look.
  enum Search: Sendable {
    case foldersOnly
    /// Files without a name are looked for, too.
    case unlinkedFiles
  }

  /// Looks at the containers; those for which the budget did not suffice are not in the finding. A container that is
  /// not there takes nothing.
  ///
  /// - Returns: the finding, and the room that files without a name take; nil where those were not searched for.
  func run() -> (finding: DiskLedger.Finding, unlinked: [String: DiskUsage]?) {
    var finding = DiskLedger.Finding()
    var entries = 0
    for scope in scopes where entries < budget {
      let folder = try? ContainerFolder(path: "\(root)/\(scope)")
      let usage = folder?.usage(countingUpTo: limit) ?? DiskUsage()
      entries += usage.files + 1
      finding.usages[scope] = usage
    }
    finding.free = FreeSpace(at: root)?.bytes
    switch search {
    case .foldersOnly: return (finding, nil)
    case .unlinkedFiles: return (finding, UnlinkedFiles.usages(below: root))
    }
  }
}

/// Files without a name that processes hold open: they take room on the disk that no folder shows.
///
/// Looked at are this process's descendants, as far as the system lets it (proc_pid_fd(5), proc_tid_children(5)).
private struct UnlinkedFiles {
  /// Path of the folder below which the files were when they still had a name, links resolved.
  private let root: String
  private var counted: Set<FileNumber> = []
  private var usages: [String: DiskUsage] = [:]

  private init(below root: String) { self.root = root.hasSuffix("/") ? root : "\(root)/" }

  /// The room that such files take, by the scopes of the containers that they were in.
  static func usages(below root: String) -> [String: DiskUsage] {
    var search = UnlinkedFiles(below: root)
    for process in ProcessFolder.descendants() { search.count(process) }
    return search.usages
  }

  private mutating func count(_ process: ProcessFolder) {
    for file in process.openFiles {
      var status = stat()
      guard stat(file, &status) == 0, status.st_nlink == 0,
        ContainerFolder.Kind(mode: status.st_mode) == .file,
        let scope = scope(of: Self.target(of: file)),
        counted.insert(FileNumber(status)).inserted
      else { continue }
      usages[scope, default: DiskUsage()] =
        usages[scope, default: DiskUsage()]
        + DiskUsage(bytes: status.allocatedBytes, files: 1)
    }
  }

  /// The container that a path below the root leads into; nil for any other path.
  private func scope(of path: String) -> String? {
    guard path.hasPrefix(root) else { return nil }
    let parts = path.dropFirst(root.count).split(separator: "/", maxSplits: 2)
    return parts.count == 3 ? "\(parts[0])/\(parts[1])" : nil
  }

  private static func target(of link: String) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The room that is left on a file system for processes without privileges (statvfs(3)).
struct FreeSpace: Sendable, Equatable {
  var bytes: Int
  /// Number of files and folders that can still be made; 0 also where the file system sets no number.
  var files: Int

  init(bytes: Int, files: Int) {
    self.bytes = bytes
    self.files = files
  }

  /// The room at `path`; nil where the system does not tell.
  init?(at path: String) {
    var found = statvfs()
    guard statvfs(path, &found) == 0 else { return nil }
    let (bytes, isTooMany) = UInt64(found.f_bavail)
      .multipliedReportingOverflow(by: UInt64(found.f_frsize))
    self.bytes = isTooMany ? Int.max : Int(clamping: bytes)
    files = Int(clamping: UInt64(found.f_favail))
  }
}
