internal import EventLoop
internal import FileProtection
internal import Glibc
internal import Model

/// A search in progress: what it looks for, and its findings.
struct ResidueSearch {
  private let texts: [Canary]
  private let accounts: [Account]
  private let scope: ResidueScope
  private let key: ResidueFinding.Key
  private let cancellation: Cancellation
  private let everything: CanarySearch
  /// The search for content canaries, without the account's names.
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

  // MARK: rows

  mutating func look(into rows: [ResidueRow]) {
    for row in rows where scope.contains(row) && !cancellation.isCancelled {
      extent.rows += 1
      if let owner = row.owner, accounts.contains(where: { $0.isSame(as: owner) }) {
        add(.row(row.meaning), .database, "device.sqlite: \(row.table)")
      }
      for (column, bytes) in row.contents {
        let place = "device.sqlite: \(row.table).\(column)"
        // A row of an account has its names, and is found by its owner.
        let search = row.owner == nil ? everything : contents
        for (text, _) in grouped(search.hits(in: bytes), of: search) {
          add(.text(text), .database, place)
        }
      }
    }
  }

  // MARK: files

  /// Searches every file below the device's folder that is in the scope.
  mutating func look(into device: ContainerFolder) {
    let unseen = device.walk(closed: .reported) { path, kind in
      guard !cancellation.isCancelled, let store = scope.store(of: path) else { return }
      lookAtName(of: path, store)
      if kind == .file { look(into: path, of: device, store) }
      if kind == .link || kind == .other {
        add(.unreadable("neither a file nor a folder, and not looked into"), store, path)
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

  private mutating func look(
    into path: [UInt8], of device: ContainerFolder, _ store: ResidueFinding.Store
  ) {
    do throws(ContainerError) {
      let file = try device.open(path, O_RDONLY)
      defer { close(file) }
      try look(into: file, of: device, path, store)
      extent.files += 1
    } catch {
      // A running device removes files.
      if !error.isMissing { add(.unreadable("\(error)"), store, path) }
    }
  }

  private mutating func look(
    into file: Int32, of device: ContainerFolder, _ path: [UInt8], _ store: ResidueFinding.Store
  ) throws(ContainerError) {
    let search = store == .journal ? contents : everything
    var hits = HitGroups()
    var headerEnd = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    var extents = FileExtents(of: file)
    while let extent = extents.next() {
      // No text has as many zeros in it as a hole.
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
        scan.take(piece) { hit in
          let needle = search.needles[hit.needle]
          let place = extent.lowerBound + hit.offset
          // The file is found already by the names in its header.
          let isHeader = place < headerEnd && texts[needle.canary].kind != .content
          if !isHeader { hits.add(needle, at: place) }
        }
        offset += count
        self.extent.bytes += count
      }
    }
    for (text, first) in described(hits) { add(.text(text), store, path, at: first) }
  }

  /// Whether the file that begins with `piece` is encrypted for the account; such a file is added to the findings.
  private mutating func isSealed(
    _ piece: UnsafeRawBufferPointer, _ path: [UInt8], _ store: ResidueFinding.Store
  ) -> Bool {
    let front = Array(piece.prefix(ProtectionHeader.maximumSize))
    guard let owner = try? ProtectionHeader(front).owner,
      accounts.contains(where: { $0.isSame(as: owner) })
    else { return false }
    add(.sealed(key), store, path)
    return true
  }

  // MARK: findings

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
