internal import EventLoop
internal import Glibc
internal import Model

/// Watches the disk usage of guests. It must scan their containers, because guests write to files directly, without an
/// event on the device.
///
/// While guests are running, another thread repeatedly scans their containers. If the free space of the file system
/// drops sharply, it scans immediately. The ``DiskLedger`` decides which guests to terminate.
final class DiskWatch {
  private let folders: Folders
  private let registry: GuestRegistry
  private let loop: EventLoop
  private let freeSpace: (String) -> FreeSpace?
  private var ledger: DiskLedger
  private var schedule = ScanSchedule()
  private var timer: Timer?
  private var isLooking = false
  /// The earliest time for the next scan. Without this limit, a device with many guests would scan all the time.
  private var nextLook: UInt64 = 0
  /// The usage of unlinked files at the last search, keyed by the scope of the container that held them. `nextSearch`
  /// is the earliest time for the next search.
  private var unlinked: [String: DiskUsage] = [:]
  private var nextSearch: UInt64 = 0
  /// Whether the first scan has begun. It covers all containers that earlier runs of the device left.
  private var knowsContainers = false
  /// The largest free space measured since the last sharp drop.
  private var freeBefore: FreeSpace?
  /// The number of files that could still be created at the last check; nil before the first check.
  private var filesBefore: Int?
  /// The number of files and folders that the device itself may have created in containers since the last check. They
  /// cause no scan. Guests' requests increase the number, so each check resets it to 0.
  private var ownFiles = 0
  /// The number of files and folders that others have created since the last sharp drop, minus those removed.
  private var othersFiles = 0
  var end: (Guest, ExitCause) -> Void = { _, _ in }

  /// The interval, in milliseconds, at which the watch checks for due scans.
  static let tick: UInt64 = 20
  /// The number of entries after which a scan stops. The container that it is scanning is scanned completely.
  private static let budget = 65_536

  /// Creates a watch. It scans nothing before ``watch()`` is called.
  ///
  /// - Parameter freeSpace: Returns the free space of the file system at a path.
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

  /// Starts watching, unless the watch is already active. It stops once no guest is running.
  ///
  /// - Throws: ``EventLoopError`` if the system provides no timer.
  func watch() throws(EventLoopError) {
    // The start of a guest may have created its container.
    ownFiles += 1
    if timer == nil { timer = try Timer(on: loop) { [unowned self] in check() } }
    if timer?.isActive == false { timer?.start(after: Self.tick, every: Self.tick) }
  }

  // MARK: Scanning

  private func check() {
    guard registry.all.contains(where: \.isRunning) else {
      timer?.stop()
      return
    }
    guard !isLooking else { return }
    let free = freeSpace(folders.root)
    countFiles(free)
    if hasFallen(free) {
      hasten()
      freeBefore = free
      othersFiles = 0
    } else if let free, let before = freeBefore, free.bytes > before.bytes {
      freeBefore = free
    }
    guard loop.now >= nextLook else { return }
    nextLook = loop.now + ScanSchedule.shortest * UInt64(1 + registry.all.count / 50)
    let scopes = schedule.due(watched, at: loop.now)
    if !scopes.isEmpty { scan(scopes) }
  }

  /// Updates ``othersFiles`` from the number of files that can still be created.
  private func countFiles(_ free: FreeSpace?) {
    guard let free else { return }
    let drop = (filesBefore ?? free.files) - free.files
    othersFiles = max(0, othersFiles + (drop > 0 ? max(0, drop - ownFiles) : drop))
    filesBefore = free.files
    ownFiles = 0
  }

  private func hasten() {
    schedule.hasten(to: loop.now)
    nextLook = 0
    nextSearch = 0
  }

  /// Returns whether the free space has fallen below ``freeBefore`` by more than a normal fluctuation.
  private func hasFallen(_ free: FreeSpace?) -> Bool {
    guard let free, let before = freeBefore else { return false }
    let isShort = free.bytes < 2 * ledger.reserve
    let step = isShort ? max(1, ledger.reserve / 64) : max(1, ledger.quota.containerBytes / 64)
    return before.bytes - free.bytes >= step
      || othersFiles >= max(1, ledger.quota.containerFiles / 64)
  }

  /// The scopes of the containers to scan. The first scan covers all containers. Later scans cover the containers of
  /// guests that are running or were just terminated.
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

  private func scan(_ scopes: [String]) {
    isLooking = true
    let isFirst = !knowsContainers
    knowsContainers = true
    let tenants = tenants
    let scan = DiskScan(
      root: folders.root, scopes: scopes, budget: isFirst ? .max : Self.budget,
      limit: 4 * ledger.quota.containerFiles, search: searchIsDue(among: tenants.count))
    loop.work(
      { scan.run() },
      then: { [weak self] found in
        guard let self, timer?.isClosing == false else { return }
        isLooking = false
        if let unlinked = found.unlinked { self.unlinked = unlinked }
        take(found.finding.adding(unlinked), tenants, isFirst ? .known : .judged)
      })
  }

  private enum Treatment {
    /// The usage before any guest started, which becomes the baseline.
    case known
    case judged
  }

  private func take(
    _ finding: DiskLedger.ScanResult, _ tenants: [DiskLedger.Tenant], _ treatment: Treatment
  ) {
    switch treatment {
    case .known: ledger.adopt(finding.usages)
    case .judged: judge(finding, tenants)
    }
    for (scope, share) in ledger.shares(of: finding.usages.keys) {
      let usage = finding.usages[scope] ?? DiskUsage()
      schedule.didScan(at: scope, usage, share: share, at: loop.now)
    }
    if treatment == .known { hasten() }
  }

  /// Returns whether the next scan also searches for unlinked files. The more guests run, the longer a search takes,
  /// and the less often it is done. If no guest runs its own executable, no search is needed, because other guests do
  /// not keep unlinked files open.
  private func searchIsDue(among guests: Int) -> DiskScan.Search {
    guard loop.now >= nextSearch, registry.all.contains(where: \.runsExecutable) else {
      return .foldersOnly
    }
    nextSearch = loop.now + ScanSchedule.longest * UInt64(1 + guests / 50)
    return .unlinkedFiles
  }

  private func judge(_ finding: DiskLedger.ScanResult, _ tenants: [DiskLedger.Tenant]) {
    for eviction in ledger.judge(finding, tenants) {
      guard let guest = registry[eviction.guest] else { continue }
      end(guest, .diskQuota(eviction.excess.description))
    }
  }

  private var tenants: [DiskLedger.Tenant] {
    registry.all.filter(\.isRunning).map { guest in
      let groups = guest.app.accessibleGroups.map(Folders.scope(ofGroup:))
      let isAlone = groups.isEmpty && guest.app.kind == .app
      // A guest that shares no container is responsible for all of its container's content.
      let written =
        isAlone ? 0 : guest.process.handle.map { ProcessFolder(of: $0.pid).writtenBytes } ?? 0
      return DiskLedger.Tenant(
        name: guest.name, scopes: [Folders.scope(ofContainer: guest.app.name)] + groups,
        written: written, recorded: guest.recordedBytes, isEnding: guest.isEnding)
    }
  }

  func usage(of scope: String) -> DiskUsage? { ledger.usage(of: scope) }

  // MARK: The device's own writes

  /// Checks whether the device may write to a container, and adds the planned write to the container's usage.
  ///
  /// - Throws: ``DiskExcess`` if the write would exceed the quota, or use space that is reserved for the device.
  func admit(_ more: DiskUsage, to scope: String) throws(DiskExcess) {
    do throws(DiskExcess) {
      try ledger.admit(more, to: scope, free: freeSpace(folders.root)?.bytes)
      ownFiles += more.files
    } catch {
      // The guest may have removed files since the last scan, so another scan is due.
      hasten()
      throw error
    }
  }

  /// Checks whether the device may save `savedBytes` bytes for a guest outside of containers.
  ///
  /// - Throws: ``DiskExcess`` if the write would use space that is reserved for the device.
  func admit(savedBytes: Int) throws(DiskExcess) {
    try ledger.admit(savedBytes, free: freeSpace(folders.root)?.bytes)
  }

  var mostFiles: Int { ledger.quota.containerFiles }

  func didRemoveFile(from scope: String) { ledger.remove(DiskUsage(files: 1), from: scope) }
}

extension Guest {
  /// Whether the guest runs its own executable.
  var runsExecutable: Bool {
    guard isRunning, case .executable = app.program else { return false }
    return true
  }

  /// Whether the guest is being killed or has exited.
  fileprivate var isEnding: Bool {
    switch state {
    case .stopping(_, .stopped): false
    case .stopping, .exited: true
    case .spawning, .ready, .suspended, nil: false
    }
  }
}

// MARK: - Schedule

/// Schedules scans of containers. A fuller container is scanned more often, and an unchanged one less often. Times are
/// in milliseconds on the loop's clock.
struct ScanSchedule {
  private struct Appointment {
    var due: UInt64
    var interval: UInt64
    var usage: DiskUsage
  }

  private var appointments: [String: Appointment] = [:]

  /// The interval until the next scan of a container that has changed and is nearly empty, in milliseconds.
  static let longest: UInt64 = 1_000
  /// The interval until the next scan of a container that has changed and is nearly full, in milliseconds.
  static let shortest: UInt64 = 60
  /// The maximum interval until the next scan of a container that does not change, in milliseconds. Each scan without a
  /// change doubles the interval.
  private static let idle: UInt64 = 8_000

  /// Returns the elements of `scopes` that are due for a scan at `now`, the longest overdue first. A container that was
  /// never scanned is always due.
  func due(_ scopes: some Sequence<String>, at now: UInt64) -> [String] {
    scopes.map { (scope: $0, due: appointments[$0]?.due ?? 0) }
      .filter { $0.due <= now }
      .sorted { ($0.due, $0.scope) < ($1.due, $1.scope) }
      .map(\.scope)
  }

  /// Makes all containers that have been scanned before due at `now`, unless they are due earlier. Other containers are
  /// always due.
  mutating func hasten(to now: UInt64) {
    appointments = appointments.mapValues { appointment in
      var sooner = appointment
      sooner.due = min(now, appointment.due)
      return sooner
    }
  }

  /// Records a scan, and schedules the container's next scan.
  ///
  /// - Parameter share: The used share of the quota; 1 or more means that the quota is used up.
  mutating func didScan(at scope: String, _ usage: DiskUsage, share: Double, at now: UInt64) {
    let before = appointments[scope]
    let interval =
      before?.usage == usage
      ? min(Self.idle, (before?.interval ?? Self.longest) * 2)
      : Self.interval(share: share)
    appointments[scope] = Appointment(due: now + interval, interval: interval, usage: usage)
  }

  /// Returns the scan interval in milliseconds. It is halved for each used fifth of the quota, down to ``shortest``.
  static func interval(share: Double) -> UInt64 {
    max(shortest, longest >> UInt64(max(0, min(4, share * 5))))
  }
}

// MARK: - Scans

/// A scan of containers, which can run on another thread.
private struct DiskScan: Sendable {
  /// The path of the device's folder, with links resolved.
  let root: String
  /// The containers' scopes, the most urgent first.
  let scopes: [String]
  /// The number of entries after which the scan stops. The container that it is scanning is scanned completely.
  let budget: Int
  /// The maximum number of entries that are counted in one container.
  let limit: Int
  let search: Search

  enum Search: Sendable {
    case foldersOnly
    /// The scan also searches for unlinked files.
    case unlinkedFiles
  }

  /// Scans the containers in order, until ``budget`` is used up. The result does not include containers that were not
  /// scanned. The usage of a container that does not exist is 0.
  ///
  /// - Returns: The result of the scan, and the usage of unlinked files. The latter is nil if the scan did not search
  ///   for unlinked files.
  func run() -> (finding: DiskLedger.ScanResult, unlinked: [String: DiskUsage]?) {
    var finding = DiskLedger.ScanResult()
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

/// A search for unlinked files of containers that processes keep open. Such files use disk space, but a scan of folders
/// does not find them.
///
/// The search covers the open files of this process's descendants, as far as the system permits it (proc_pid_fd(5),
/// proc_tid_children(5)).
private struct UnlinkedFiles {
  /// The path of the folder that contained the files, with links resolved.
  private let root: String
  private var counted: Set<FileNumber> = []
  private var usages: [String: DiskUsage] = [:]

  private init(below root: String) { self.root = root.hasSuffix("/") ? root : "\(root)/" }

  /// Returns the usage of unlinked files, keyed by the scope of their former container.
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

  /// Returns the container that a path below the root belongs to; nil for other paths.
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

/// The space in a file system that is free for unprivileged processes (statvfs(3)).
struct FreeSpace: Sendable, Equatable {
  var bytes: Int
  /// The number of files and folders that can still be created; 0 if there is no room for more, or if the file system
  /// has no such limit.
  var files: Int

  init?(at path: String) {
    var found = statvfs()
    guard statvfs(path, &found) == 0 else { return nil }
    let (bytes, isTooMany) = UInt64(found.f_bavail)
      .multipliedReportingOverflow(by: UInt64(found.f_frsize))
    self.bytes = isTooMany ? Int.max : Int(clamping: bytes)
    files = Int(clamping: UInt64(found.f_favail))
  }
}
