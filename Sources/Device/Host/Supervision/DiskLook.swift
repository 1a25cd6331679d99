/// One look at containers, as a value that may go to another thread.
struct DiskLook: Sendable {
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
