package import EventLoop
internal import FileProtection
internal import Foundation
internal import Glibc
internal import GRDB
package import Model

/// Searches all data of a device for traces of one account.
///
/// The device may be running. The search changes no data, but SQLite may leave an empty write-ahead log and its index
/// file next to the database.
package struct ResidueCheck: Sendable {
  private let folder: String
  private let account: Account
  private let scope: ResidueScope
  private let canaries: [String]
  private let cancellation: Cancellation

  /// Creates a check. ``run()`` runs it.
  ///
  /// - Parameters:
  ///   - folder: The device's folder, as written by `--output-dir`.
  ///   - account: The account. Missing ids are looked up in the device's database.
  ///   - canaries: Texts of at least ``shortestCanary`` bytes that only the account's data contains.
  ///   - cancellation: Stops the search. Findings until then are reported.
  package init(
    folder: String, account: Account, scope: ResidueScope = .device, canaries: [String] = [],
    cancellation: Cancellation = Cancellation()
  ) {
    self.folder = Folders.absolute(folder)
    self.account = account
    self.scope = scope
    self.canaries = canaries
    self.cancellation = cancellation
  }

  /// The minimum length of a canary in bytes. Shorter texts would have too many random matches.
  package static let shortestCanary = Needle.shortest

  /// Runs the search, and returns the traces that it found.
  ///
  /// - Throws: ``HostError``. The code is `folder` if the folder does not contain a device, or an app of the scope does
  ///   not exist.
  package func run() throws(HostError) -> ResidueReport {
    let device = try open()
    var database: ResidueRows?
    var findings: [ResidueFinding] = []
    let path = Folders(root: folder).database
    do {
      database = try ResidueRows(path: path)
    } catch {
      findings.append(
        ResidueFinding(
          store: .database, place: "device.sqlite",
          matter: .unreadable("the database cannot be read: \(error)")))
    }
    let accounts = [account] + (database?.accounts ?? []).filter { $0.isSameUser(as: account) }
    let texts = Self.names(of: accounts) + canaries.map { Canary(kind: .content, text: $0) }
    var search = ResidueSearch(
      texts: texts, accounts: accounts, scope: scope, key: key(of: accounts, in: database),
      cancellation)
    search.add(database?.rows ?? [])
    search.add(device)
    return ResidueReport(
      findings: (findings + search.findings).sorted(),
      notes: notes(accounts, database), account: account.upn, extent: search.extent)
  }

  private func open() throws(HostError) -> ContainerFolder {
    let device: ContainerFolder
    do {
      device = try ContainerFolder(path: folder)
      let kind = try device.kind(of: Array("device.sqlite".utf8))
      guard kind == .file else {
        throw HostError(.folder, "`\(folder)` is not a device's folder: it has no `device.sqlite`")
      }
      if case .apps(let apps) = scope {
        let containers = try device.names(of: Array("Containers".utf8))
        for app in apps where !containers.contains(app.name) {
          throw HostError(.folder, "the device in `\(folder)` has no app `\(app.name)`")
        }
      }
    } catch let error as HostError {
      throw error
    } catch {
      throw HostError(.folder, "\(error)")
    }
    return device
  }

  /// Returns the distinct UPNs and object ids of the accounts.
  private static func names(of accounts: [Account]) -> [Canary] {
    let all = accounts.flatMap { account in
      [Canary(kind: .upn, text: account.upn)]
        + (account.objectID.map { [Canary(kind: .objectID, text: $0)] } ?? [])
    }
    var seen: Set<String> = []
    return all.filter { !$0.text.isEmpty && seen.insert($0.text.lowercased()).inserted }
  }

  private func key(of accounts: [Account], in database: ResidueRows?) -> ResidueFinding.Key {
    guard let holders = database?.keyHolders else { return .unknown }
    return holders.contains { holder in accounts.contains { $0.isSameUser(as: holder) } }
      ? .exists : .gone
  }

  private func notes(_ accounts: [Account], _ database: ResidueRows?) -> [String] {
    var notes = [
      "data that is encrypted, compressed or split into lines inside a file was not searched"
    ]
    switch scope {
    case .device:
      notes.append(
        "the journal legitimately names accounts, so it was searched only for canaries"
      )
    case .apps:
      notes.append(
        "only the apps' containers, app groups and database rows were searched, not the rest of the database's file"
      )
    }
    if !accounts.contains(where: { $0.objectID != nil }) {
      notes.append("the account's object id is not known and was not searched for")
    }
    let names = accounts.map { $0.upn.lowercased() }
    let longer = Set((database?.accounts ?? []).map { $0.upn.lowercased() }).filter { other in
      names.contains { other.count > $0.count && other.contains($0) }
    }
    for other in longer.sorted() {
      notes.append(
        "the longer name `\(other)` contains the account's name, so a finding may be about `\(other)`"
      )
    }
    return notes
  }
}

// MARK: - Scope

package enum ResidueScope: Sendable {
  case device
  /// Only the data that these apps can access.
  case apps([App])

  package struct App: Sendable {
    /// The app's name on the device. Its container has the same name.
    package var name: String
    /// The app's bundle id, under which its check-ins are stored. If nil, check-ins are not searched.
    package var bundleID: String?
    /// The names of the app groups and keychain groups that the app may use.
    package var groups: [String]

    package init(name: String, bundleID: String? = nil, groups: [String] = []) {
      self.name = name
      self.bundleID = bundleID
      self.groups = groups
    }
  }

  /// Returns the part of the device to which a file belongs; nil if the file is out of scope.
  ///
  /// - Parameter path: The file's path in the device's folder.
  func store(of path: [UInt8]) -> ResidueFinding.Store? {
    let names = path.split(separator: UInt8(ascii: "/"), maxSplits: 2)
      .map { String(decoding: $0, as: UTF8.self) }
    let store = Self.store(of: names[0])
    guard case .apps(let apps) = self else { return store }
    guard names.count > 1 else { return nil }
    switch store {
    case .container: return apps.contains { $0.name == names[1] } ? store : nil
    case .group: return apps.contains { $0.groups.contains(names[1]) } ? store : nil
    case .system, .database, .journal, .other: return nil
    }
  }

  private static func store(of name: String) -> ResidueFinding.Store {
    switch name {
    case "Containers": .container
    case "Groups": .group
    case "System": .system
    case "journal.jsonl": .journal
    case let name where name.hasPrefix("device.sqlite"): .database
    default: .other  // open: any other name in the device's folder
    }
  }

  /// Returns whether a database row is in scope. If the scope is limited to some apps, the row must name one of these
  /// apps, or a keychain group or folder of one of them.
  func contains(_ row: ResidueRow) -> Bool {
    guard case .apps(let apps) = self else { return true }
    return apps.contains { app in
      if let name = row.text("app") { return name == app.name || name == app.bundleID }
      if let group = row.text("accessGroup") { return app.groups.contains(group) }
      guard let folder = row.text("scope") else { return false }
      return folder == "Containers/\(app.name)"
        || app.groups.contains { folder == "Groups/\($0)" }
    }
  }
}

// MARK: - Search

/// A search in progress, with the findings so far.
private struct ResidueSearch {
  private let texts: [Canary]
  private let accounts: [Account]
  private let scope: ResidueScope
  private let key: ResidueFinding.Key
  private let cancellation: Cancellation
  private let everything: CanarySearch
  /// The search for the texts that only the account's data contains. It does not search for the account's names.
  private let contents: CanarySearch
  private(set) var findings: [ResidueFinding] = []
  private(set) var extent = ResidueReport.Extent()

  init(
    texts: [Canary], accounts: [Account], scope: ResidueScope, key: ResidueFinding.Key,
    _ cancellation: Cancellation
  ) {
    self.cancellation = cancellation
    self.texts = texts
    self.accounts = accounts
    self.scope = scope
    self.key = key
    let needles = texts.enumerated().flatMap { Needle.all(for: $1, number: $0) }
    everything = CanarySearch(needles)
    contents = CanarySearch(needles.filter { texts[$0.canary].kind == .content })
  }

  // MARK: Rows

  mutating func add(_ rows: [ResidueRow]) {
    for row in rows where scope.contains(row) && !cancellation.isCancelled {
      extent.rows += 1
      if let owner = row.owner, accounts.contains(where: { $0.isSameUser(as: owner) }) {
        add(.row(row.meaning), .database, "device.sqlite: \(row.table)")
      }
      for (column, bytes) in row.contents {
        let place = "device.sqlite: \(row.table).\(column)"
        // Rows with an owner contain account names, so they are found by their owner instead.
        let search = row.owner == nil ? everything : contents
        for (text, _) in grouped(search.hits(in: bytes), of: search) {
          add(.text(text), .database, place)
        }
      }
    }
  }

  // MARK: Files

  /// Searches the device's folder: the names of all entries in scope, and the content of files in scope.
  mutating func add(_ device: ContainerFolder) {
    let unseen = device.walk(closed: .reported) { path, kind in
      guard !cancellation.isCancelled, let store = scope.store(of: path) else { return }
      lookAtName(of: path, store)
      if kind == .file { scan(into: path, of: device, store) }
      if kind == .link || kind == .other {
        add(.unreadable("neither a file nor a folder, so not searched"), store, path)
      }
    }
    for error in unseen {
      guard let store = scope.store(of: error.path) else { continue }
      add(.unreadable("\(error)"), store, error.path)
    }
  }

  private mutating func lookAtName(of path: [UInt8], _ store: ResidueFinding.Store) {
    let name = Array(path.split(separator: UInt8(ascii: "/")).last ?? [])
    for (text, _) in grouped(everything.hits(in: name), of: everything) {
      add(.text(text), store, path)
    }
  }

  private mutating func scan(
    into path: [UInt8], of device: ContainerFolder, _ store: ResidueFinding.Store
  ) {
    do throws(ContainerError) {
      let file = try device.open(path, O_RDONLY)
      defer { close(file) }
      try scan(into: file, of: device, path, store)
      extent.files += 1
    } catch {
      // A running device may have removed the file meanwhile.
      if !error.isMissing { add(.unreadable("\(error)"), store, path) }
    }
  }

  private mutating func scan(
    into file: Int32, of device: ContainerFolder, _ path: [UInt8], _ store: ResidueFinding.Store
  ) throws(ContainerError) {
    let search = store == .journal ? contents : everything
    var hits = HitGroups()
    var headerEnd = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    var extents = FileExtents(of: file)
    while let extent = extents.next() {
      // The scan restarts in each extent: a hole has more zeros than any needle contains, so no needle spans one.
      var scan = CanarySearch.Scan(search)
      var offset = extent.lowerBound
      while offset < extent.upperBound, !cancellation.isCancelled {
        let count = pread(
          file, buffer.baseAddress, min(buffer.count, extent.upperBound - offset), off_t(offset))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw device.error(errno, "read", path) }
        if count == 0 { break }
        let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if offset == 0, isSealed(piece, path, store) { headerEnd = ProtectionHeader.maximumSize }
        scan.search(piece) { hit in
          let needle = search.needles[hit.needle]
          let place = extent.lowerBound + hit.offset
          // The file is already a finding, so the names in its header are not reported separately.
          let isHeader = place < headerEnd && texts[needle.canary].kind != .content
          if !isHeader { hits.add(needle, at: place) }
        }
        offset += count
        self.extent.bytes += count
      }
    }
    for (text, first) in described(hits) { add(.text(text), store, path, at: first) }
  }

  /// Checks whether a file is encrypted for the account. If so, adds a finding and returns true.
  ///
  /// - Parameter piece: The beginning of the file.
  private mutating func isSealed(
    _ piece: UnsafeRawBufferPointer, _ path: [UInt8], _ store: ResidueFinding.Store
  ) -> Bool {
    let front = Array(piece.prefix(ProtectionHeader.maximumSize))
    guard let owner = try? ProtectionHeader(front).owner,
      accounts.contains(where: { $0.isSameUser(as: owner) })
    else { return false }
    add(.sealed(key), store, path)
    return true
  }

  // MARK: Findings

  private struct HitGroups {
    struct Key: Hashable {
      var canary: Int
      var encoding: Needle.Encoding
    }

    var groups: [Key: (first: Int, count: Int)] = [:]

    mutating func add(_ needle: Needle, at offset: Int) {
      let key = Key(canary: needle.canary, encoding: needle.encoding)
      let group = groups[key] ?? (offset, 0)
      groups[key] = (min(group.first, offset), group.count + 1)
    }
  }

  private func grouped(
    _ hits: [CanarySearch.Hit], of search: CanarySearch
  ) -> [(text: ResidueFinding.Text, first: Int)] {
    var groups = HitGroups()
    for hit in hits { groups.add(search.needles[hit.needle], at: hit.offset) }
    return described(groups)
  }

  private func described(
    _ hits: HitGroups
  ) -> [(text: ResidueFinding.Text, first: Int)] {
    let names = texts.count { $0.kind != .content }
    return hits.groups.map { key, group in
      let canary = texts[key.canary]
      let text = ResidueFinding.Text(
        canary: canary.kind == .content ? key.canary - names + 1 : nil, shown: canary.shown,
        encoding: key.encoding.rawValue, count: group.count)
      return (text, group.first)
    }
  }

  private mutating func add(
    _ matter: ResidueFinding.Matter, _ store: ResidueFinding.Store, _ path: [UInt8],
    at offset: Int? = nil
  ) {
    add(matter, store, PathText.shown(path), at: offset)
  }

  private mutating func add(
    _ matter: ResidueFinding.Matter, _ store: ResidueFinding.Store, _ place: String,
    at offset: Int? = nil
  ) {
    findings.append(
      ResidueFinding(store: store, place: place, offset: offset, matter: matter))
  }
}

/// The parts of a sparse file that contain data, in order. Holes are skipped, because they contain only zeros and may
/// be very long (lseek(2), SEEK_DATA and SEEK_HOLE).
private struct FileExtents: IteratorProtocol {
  private let file: Int32
  private var offset = 0

  /// Begins at the start of a file.
  ///
  /// - Parameter file: An open descriptor of a regular file.
  init(of file: Int32) { self.file = file }

  /// Returns the byte offsets of the next part with data; nil at the end of the file. Data appended during the
  /// iteration is included.
  mutating func next() -> Range<Int>? {
    var start = Int(lseek(file, off_t(offset), Self.data))
    // If the file system does not support SEEK_DATA, the whole file is data.
    if start < 0, errno == EINVAL { start = offset }
    guard start >= 0 else { return nil }
    var end = Int(lseek(file, off_t(start), Self.hole))
    if end < 0 { end = Int(lseek(file, 0, SEEK_END)) }
    guard end > start else { return nil }
    offset = end
    return start..<end
  }

  // The C library declares these constants only with _GNU_SOURCE.
  private static let data: Int32 = 3
  private static let hole: Int32 = 4
}

// MARK: - Rows

/// The rows of all tables of a device's database.
private struct ResidueRows {
  /// The accounts that the rows of all tables contain or refer to, including duplicates.
  let accounts: [Account]
  /// The accounts whose key for encrypted files is in the database. Nil if the database has no account table.
  let keyHolders: [Account]?
  let rows: [ResidueRow]

  /// Reads all tables except SQLite's and GRDB's own. Does not change the database, which may be in use.
  init(path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    let tables = try DeviceDatabase.reading(path) {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      return try queue.read(Self.tables)
    }
    let known = tables.first { $0.name == "account" }?.rows
    let byID = (known ?? []).reduce(into: [Int64: Account]()) { accounts, row in
      if let id = row["id"].flatMap(Int64.fromDatabaseValue),
        let account = Self.account(of: row, [:])
      {
        accounts[id] = account
      }
    }
    rows = tables.flatMap { table in
      table.rows.map {
        ResidueRow(table: table.name, values: $0, owner: Self.account(of: $0, byID))
      }
    }
    accounts = rows.compactMap(\.owner)
    keyHolders = known?.filter { $0["wrappedKey"]?.isNull == false }
      .compactMap { Self.account(of: $0, [:]) }
  }

  private static func tables(
    _ database: Database
  ) throws -> [(name: String, rows: [[String: DatabaseValue]])] {
    let names = try String.fetchAll(
      database,
      sql: """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          AND name <> 'grdb_migrations' ORDER BY name
        """)
    return try names.map { name in
      let rows = try Row.fetchAll(database, sql: "SELECT * FROM \(name.quotedDatabaseIdentifier)")
      return (name, rows.map { row in Dictionary(row, uniquingKeysWith: { first, _ in first }) })
    }
  }

  /// Returns the account to which a row belongs, identified in the row by its number or its UPN; nil if there is none.
  private static func account(of row: [String: DatabaseValue], _ known: [Int64: Account])
    -> Account?
  {
    for column in ["accountID", "ownerID"] {
      if let id = row[column].flatMap(Int64.fromDatabaseValue), let account = known[id] {
        return account
      }
    }
    for (upn, objectID) in [("upn", "objectID"), ("ownerUPN", "ownerObjectID")] {
      guard let name = row[upn].flatMap(String.fromDatabaseValue) else { continue }
      return Account(upn: name, objectID: row[objectID].flatMap(String.fromDatabaseValue))
    }
    return nil
  }
}

struct ResidueRow {
  let table: String
  private let values: [String: DatabaseValue]
  let owner: Account?

  fileprivate init(table: String, values: [String: DatabaseValue], owner: Account?) {
    self.table = table
    self.values = values
    self.owner = owner
  }

  func text(_ column: String) -> String? { values[column].flatMap(String.fromDatabaseValue) }

  /// The bytes in every text and blob column, with the column's name.
  var contents: [(column: String, bytes: [UInt8])] {
    values.sorted { $0.key < $1.key }.compactMap { column, value in
      switch value.storage {
      case .string(let text): (column, Array(text.utf8))
      case .blob(let data): (column, Array(data))
      case .null, .int64, .double: nil
      }
    }
  }

  /// A clause that states the fact about the account that this row records, for a row that belongs to the account.
  var meaning: String {
    switch table {
    case "account": "the device knows the account"
    case "signIn": "the account is signed in to `\(text("app") ?? "")`"
    case "fileOwner": "`\(text("scope") ?? "")/\(path)` is the account's"
    case "keychainItem":
      "item `\(text("service") ?? "")` in the keychain group `\(text("accessGroup") ?? "")`"
    case "checkIn": "`\(text("app") ?? "")` has checked in for the account"
    default: "a row of the account"  // open: any other table's name
    }
  }

  private var path: String {
    guard let bytes = contents.first(where: { $0.column == "path" })?.bytes else { return "" }
    return PathText.shown(bytes)
  }
}
