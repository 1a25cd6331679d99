/// Tracks the disk usage of containers. It is a pure value: it gets the results of scans, and returns the guests that
/// must be terminated.
///
/// A container is identified by its scope, which is its path relative to the device's folder.
struct DiskLedger {
  /// The properties of a running guest that the ledger needs.
  struct Tenant: Equatable {
    var name: String
    /// The scopes of the containers that the guest can write to.
    var scopes: [String]
    /// The number of bytes that the guest's process has written since its start; 0 if unknown or not needed.
    var written = 0
    /// The number of bytes that the device has added to the journal and the trace because of the guest.
    var recorded = 0
    var isEnding = false
  }

  struct Eviction: Equatable {
    var guest: String
    var excess: DiskExcess
  }

  /// The usage of the scanned containers, keyed by scope, and the number of free bytes in the file system; `free` is
  /// nil if unknown.
  struct ScanResult: Sendable, Equatable {
    var usages: [String: DiskUsage] = [:]
    var free: Int?

    /// Returns this result with additional usage.
    ///
    /// - Parameter unlinked: For each container, the usage of files that have been unlinked but are still open.
    func adding(_ unlinked: [String: DiskUsage]) -> ScanResult {
      var finding = self
      for (scope, usage) in usages {
        finding.usages[scope] = usage + (unlinked[scope] ?? DiskUsage())
      }
      return finding
    }
  }

  private struct Entry {
    var usage = DiskUsage()
    /// The usage from which the container's growth is counted: the usage at the last scan that found enough free space,
    /// or that led to the termination of a guest.
    var baseline = DiskUsage()
    /// The container's usage when a guest was last terminated because the usage exceeded the quota. Another guest is
    /// terminated only if the usage grows above this value.
    var tolerated = DiskUsage()
  }

  let quota: DiskQuota
  /// The number of free bytes that the device needs in the file system for itself.
  let reserve: Int
  private var entries: [String: Entry] = [:]
  private var toleratedTotal = 0
  /// The scopes of the containers of guests that are being terminated. Such a guest may still write until it exits.
  private(set) var unsettled: Set<String> = []
  /// The tenants at the last measurement of the baselines, keyed by name.
  private var tenantsBefore: [String: Tenant] = [:]

  init(_ quota: DiskQuota, reserve: Int) {
    self.quota = quota
    self.reserve = reserve
  }

  /// Returns the usage of a container at the last scan, plus the device's planned writes since then; nil if the usage
  /// is unknown.
  func usage(of scope: String) -> DiskUsage? { entries[scope]?.usage }

  /// The number of bytes in all containers with known usage.
  private(set) var total = 0

  /// Returns, for each container, the larger of two fractions: the used part of the container's own quota, and the used
  /// part of the total quota. 1 means that the quota is used up.
  func shares(of scopes: some Sequence<String>) -> [(scope: String, share: Double)] {
    let ofAll = Double(total) / Double(max(1, quota.totalBytes))
    return scopes.map { scope in
      let usage = entries[scope]?.usage ?? DiskUsage()
      let bytes = Double(usage.bytes) / Double(max(1, quota.containerBytes))
      let files = Double(usage.files) / Double(max(1, quota.containerFiles))
      return (scope, max(bytes, files, ofAll))
    }
  }

  // MARK: Evaluation

  /// Sets the baselines to the usage that the containers had before the first guest started.
  mutating func adopt(_ usages: [String: DiskUsage]) {
    for (scope, usage) in usages {
      setUsage(usage, of: scope)
      entries[scope] = Entry(usage: usage, baseline: usage)
    }
  }

  /// Records a scan result, and returns the guests to terminate.
  mutating func judge(_ finding: ScanResult, _ tenants: [Tenant]) -> [Eviction] {
    for (scope, usage) in finding.usages { record(usage, of: scope) }
    let suspects = tenants.filter { !$0.isEnding }
    let ending = Set(tenants.filter(\.isEnding).flatMap(\.scopes))
    var evictions = overfull(
      finding.usages.keys.filter { !unsettled.contains($0) && !ending.contains($0) }.sorted(),
      suspects)
    if !unsettled.isEmpty || !ending.isEmpty {
      tolerate(unsettled.union(ending))
      unsettled.subtract(Set(finding.usages.keys).subtracting(ending))
    } else if evictions.isEmpty, let one = shortage(finding.free, suspects) {
      evictions = [one]
    }
    if !evictions.isEmpty {
      let scopes = suspects.filter { tenant in evictions.contains { $0.guest == tenant.name } }
        .flatMap(\.scopes)
      tolerate(Set(scopes))
      unsettled.formUnion(scopes)
      rebase(Array(entries.keys), tenants)
    } else if isCalm(finding.free) {
      rebase(Array(finding.usages.keys), tenants)
    }
    return evictions
  }

  private mutating func record(_ usage: DiskUsage, of scope: String) {
    setUsage(usage, of: scope)
    var entry = entries[scope] ?? Entry()
    // Freed space does not count as tolerated any longer.
    entry.tolerated = DiskUsage(
      bytes: min(entry.tolerated.bytes, usage.bytes),
      files: min(entry.tolerated.files, usage.files),
      unseen: min(entry.tolerated.unseen, usage.unseen))
    entries[scope] = entry
  }

  private mutating func setUsage(_ usage: DiskUsage, of scope: String) {
    total += usage.bytes - (entries[scope]?.usage.bytes ?? 0)
    entries[scope, default: Entry()].usage = usage
  }

  private func overfull(_ scopes: [String], _ tenants: [Tenant]) -> [Eviction] {
    var evictions: [Eviction] = []
    for scope in scopes {
      guard let entry = entries[scope], let excess = excess(of: entry, scope) else { continue }
      let suspects = tenants.filter { $0.scopes.contains(scope) }
      guard let guest = fastest(suspects, by: growth) else { continue }
      // If several guests share the container and this guest has neither grown nor written, it did
      // not cause the excess.
      if suspects.count > 1, growth(of: guest) == 0, written(by: guest) == 0 { continue }
      if !evictions.contains(where: { $0.guest == guest.name }) {
        evictions.append(Eviction(guest: guest.name, excess: excess))
      }
    }
    return evictions
  }

  private func excess(of entry: Entry, _ scope: String) -> DiskExcess? {
    let (usage, tolerated) = (entry.usage, entry.tolerated)
    if usage.bytes > max(quota.containerBytes, tolerated.bytes) {
      return DiskExcess(bound: .bytes(of: scope), found: usage.bytes, allowed: quota.containerBytes)
    }
    if usage.files > max(quota.containerFiles, tolerated.files) {
      return DiskExcess(bound: .files(of: scope), found: usage.files, allowed: quota.containerFiles)
    }
    if usage.unseen > tolerated.unseen {
      let deepest = ContainerFolder.depthLimit
      return DiskExcess(bound: .depth(of: scope), found: deepest + 1, allowed: deepest)
    }
    return nil
  }

  private func shortage(_ free: Int?, _ tenants: [Tenant]) -> Eviction? {
    let total = total
    if total > max(quota.totalBytes, toleratedTotal) {
      guard let guest = fastest(tenants, by: growth), growth(of: guest) > 0 else { return nil }
      return Eviction(
        guest: guest.name,
        excess: DiskExcess(bound: .total, found: total, allowed: quota.totalBytes))
    }
    // Free space may also shrink because of processes outside the device, so low consumption proves nothing.
    guard let free, free < reserve, let guest = fastest(tenants, by: consumption),
      consumption(of: guest) >= max(1, reserve / 64)
    else { return nil }
    return Eviction(
      guest: guest.name, excess: DiskExcess(bound: .reserve, found: free, allowed: reserve))
  }

  private func isCalm(_ free: Int?) -> Bool {
    total <= quota.totalBytes && free.map { $0 >= 2 * reserve } ?? true
  }

  // MARK: Growth

  /// Returns the guest with the largest value of `growth`. If several guests have this value, returns the one that has
  /// written most.
  private func fastest(_ tenants: [Tenant], by growth: (Tenant) -> Int) -> Tenant? {
    tenants.sorted { $0.name < $1.name }.max { one, other in
      (growth(one), written(by: one)) < (growth(other), written(by: other))
    }
  }

  /// Returns the number of bytes by which the guest's containers, and its entries in the journal and the trace, have
  /// grown since the baselines were measured.
  private func consumption(of tenant: Tenant) -> Int {
    growth(of: tenant) + increase(of: \.recorded, tenant)
  }

  private func growth(of tenant: Tenant) -> Int {
    tenant.scopes.reduce(0) { sum, scope in
      let entry = entries[scope] ?? Entry()
      return sum + max(0, entry.usage.bytes - entry.baseline.bytes)
    }
  }

  private func written(by tenant: Tenant) -> Int { increase(of: \.written, tenant) }

  private func increase(of count: KeyPath<Tenant, Int>, _ tenant: Tenant) -> Int {
    let (now, before) = (tenant[keyPath: count], tenantsBefore[tenant.name]?[keyPath: count] ?? 0)
    // The counter starts again at 0 in a new process.
    return now < before ? now : now - before
  }

  private mutating func rebase(_ scopes: [String], _ tenants: [Tenant]) {
    for scope in scopes {
      guard let usage = entries[scope]?.usage else { continue }
      entries[scope]?.baseline = usage
    }
    tenantsBefore = Dictionary(
      tenants.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func tolerate(_ scopes: Set<String>) {
    for scope in scopes {
      guard let entry = entries[scope], excess(of: entry, scope) != nil else { continue }
      entries[scope]?.tolerated = entry.usage
    }
    toleratedTotal = total
  }

  // MARK: The device's own writes

  /// Checks whether the device may write to a container, and adds the planned write to the container's usage. The next
  /// scan replaces the usage by a measured value.
  ///
  /// - Throws: ``DiskExcess`` if the write would exceed the quota, or use space that is reserved for the device. The
  ///   usage is then unchanged.
  mutating func admit(
    _ more: DiskUsage, to scope: String, free: Int?
  ) throws(DiskExcess) {
    let usage = (entries[scope]?.usage ?? DiskUsage()) + more
    if more.bytes > 0, usage.bytes > quota.containerBytes {
      throw DiskExcess(bound: .bytes(of: scope), found: usage.bytes, allowed: quota.containerBytes)
    }
    if more.files > 0, usage.files > quota.containerFiles {
      throw DiskExcess(bound: .files(of: scope), found: usage.files, allowed: quota.containerFiles)
    }
    if more.bytes > 0, total + more.bytes > quota.totalBytes {
      throw DiskExcess(bound: .total, found: total + more.bytes, allowed: quota.totalBytes)
    }
    try admit(more.bytes, free: free)
    setUsage(usage, of: scope)
  }

  /// Checks whether the device may write `bytes` bytes outside of containers.
  ///
  /// - Throws: ``DiskExcess`` if the write would use space that is reserved for the device.
  func admit(_ bytes: Int, free: Int?) throws(DiskExcess) {
    if let free, bytes > 0, free - bytes < reserve {
      throw DiskExcess(bound: .reserve, found: free, allowed: reserve)
    }
  }

  /// Subtracts the usage of a file that the device has removed from a container.
  mutating func remove(_ less: DiskUsage, from scope: String) {
    guard let usage = entries[scope]?.usage else { return }
    setUsage(
      DiskUsage(
        bytes: max(0, usage.bytes - less.bytes), files: max(0, usage.files - less.files),
        unseen: usage.unseen), of: scope)
  }
}

// MARK: - Bounds

/// A limit of the ``DiskQuota`` that was exceeded, with the usage found and the usage allowed.
struct DiskExcess: Error, Equatable, CustomStringConvertible {
  enum Bound: Equatable {
    /// The number of bytes in a container. The value is the container's path relative to the device's folder.
    case bytes(of: String)
    /// The number of files and folders in a container.
    case files(of: String)
    /// The nesting depth of folders in a container. Deeper folders are not scanned.
    case depth(of: String)
    /// The number of bytes in all containers together.
    case total
    /// The number of free bytes in the file system, which must not fall below ``DiskQuota/reserve``.
    case reserve
  }

  var bound: Bound
  var found: Int
  var allowed: Int

  /// The excess as a clause in lower case.
  var description: String {
    switch bound {
    case .bytes(let scope):
      "the container `\(scope)` uses \(found) bytes of the disk; the maximum is \(allowed)"
    case .files(let scope):
      "the container `\(scope)` has \(found) files and folders; the maximum is \(allowed)"
    case .depth(let scope):
      "the container `\(scope)` has folders nested more than \(allowed) deep"
    case .total:
      "all containers together use \(found) bytes of the disk; the maximum is \(allowed)"
    case .reserve:
      "only \(found) bytes of the disk are free, but \(allowed) are reserved for the device"
    }
  }
}

package struct DiskQuota: Sendable {
  /// The maximum allocated size of the files in one container of an app, an extension or an app group, in bytes.
  package var containerBytes = 1 << 30
  /// The maximum number of files and folders in one container.
  package var containerFiles = 65_536
  /// The maximum allocated size of the files in all containers of the device, in bytes.
  package var totalBytes = 4 << 30
  /// The number of free bytes in the file system that are reserved for the journal and the database. If less than twice
  /// this number is free when the device starts, only half of the free space is reserved.
  package var reserve = 64 << 20

  package init() {}
}
