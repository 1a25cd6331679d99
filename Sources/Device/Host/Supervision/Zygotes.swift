internal import EventLoop
internal import SystemCalls

/// The zygotes of a device, from which its guests come. Each starts with the first guest that needs it.
final class Zygotes {
  private let configuration: DeviceConfiguration
  /// The absolute path of the device's folder.
  private let folder: String
  private let audit: AuditLog
  private var started: [Kind: Zygote] = [:]
  /// Whether the trace has been told of what is lacking.
  private var hasWarned = false
  /// The zygote in whose network the servers are.
  private var ofServers: Zygote?

  private enum Kind {
    /// Of the ready-made guest and of scripts, which have its filter.
    case guest
    /// Of those that need mounts of their own, which that filter does not let them make.
    case guestWithGroups
    case launch
  }

  init(_ configuration: DeviceConfiguration, folder: String, audit: AuditLog) {
    self.configuration = configuration
    self.folder = folder
    self.audit = audit
  }

  /// The zygote of the ready-made guest, which also runs scripts, for an app.
  ///
  /// - Throws: ``HostError`` where it does not start, or does not keep all that is required.
  func guest(_ app: AppDescription) throws(HostError) -> Zygote {
    try zygote(app.accessibleGroups.isEmpty ? .guest : .guestWithGroups)
  }

  /// The zygote of programs, which become what they run.
  ///
  /// - Throws: ``HostError`` where it does not start, does not keep all that is required, or the servers that the program is
  ///   to reach are in the network of one that has ended.
  func launch(reaching servers: ServerAccess) throws(HostError) -> Zygote {
    let zygote = try zygote(.launch)
    guard servers.ports.isEmpty || zygote === ofServers else {
      throw HostError(
        .program, "the process that led to the servers has ended; start the device again")
    }
    return zygote
  }

  /// The zygote of programs, for a server.
  ///
  /// - Throws: ``HostError`` where it does not start, or does not keep all that is required.
  func launchOfServers() throws(HostError) -> Zygote {
    let zygote = try zygote(.launch)
    ofServers = zygote
    return zygote
  }

  private func zygote(_ kind: Kind) throws(HostError) -> Zygote {
    if let zygote = started[kind], zygote.isAlive { return zygote }
    let zygote = try start(kind)
    try check(zygote.promises)
    started[kind] = zygote
    return zygote
  }

  private func start(_ kind: Kind) throws(HostError) -> Zygote {
    let programs = configuration.programs
    do {
      switch kind {
      case .guest:
        let filter = try CompiledFilter.of(.zygote)
        return try Zygote(
          executable: programs.guest, folder: folder, filter: filter.descriptor)
      case .guestWithGroups: return try Zygote(executable: programs.guest, folder: folder)
      case .launch: return try Zygote(executable: programs.launch, folder: folder)
      }
    } catch {
      throw HostError(.program, "\(error)")
    }
  }

  /// Refuses what is lacking, or warns of it once.
  private func check(_ promises: Zygote.Promises) throws(HostError) {
    guard let lack = promises.lack else { return }
    guard !configuration.requiresConfinement else { throw HostError(.confinement, lack) }
    if !hasWarned { audit.trace(configuration.name, "sluice: warning: \(lack)") }
    hasWarned = true
  }

  /// Ends the zygotes; guests live on.
  func close() {
    for zygote in started.values { zygote.close() }
    started.removeAll()
    ofServers = nil
  }
}
