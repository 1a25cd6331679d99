internal import EventLoop

/// The zygotes of a device, from which its guests come. Each starts with the first guest that needs it.
final class Zygotes {
  private let configuration: DeviceConfiguration
  /// The absolute path of the device's folder.
  private let folder: String
  private let audit: AuditLog
  private var started: [String: Zygote] = [:]
  /// Whether the trace has been told of what is lacking.
  private var hasWarned = false

  init(_ configuration: DeviceConfiguration, folder: String, audit: AuditLog) {
    self.configuration = configuration
    self.folder = folder
    self.audit = audit
  }

  /// The zygote of the ready-made guest, which also runs scripts.
  ///
  /// - Throws: ``HostError`` where it does not start, or does not keep all that is required.
  func guest() throws(HostError) -> Zygote { try zygote(configuration.programs.guest) }

  /// The zygote of programs, which become what they run.
  ///
  /// - Throws: ``HostError`` where it does not start, or does not keep all that is required.
  func launch() throws(HostError) -> Zygote { try zygote(configuration.programs.launch) }

  private func zygote(_ executable: String) throws(HostError) -> Zygote {
    if let zygote = started[executable], zygote.isAlive { return zygote }
    let zygote: Zygote
    do throws(EventLoopError) {
      zygote = try Zygote(executable: executable, folder: folder)
    } catch {
      throw HostError(.program, error.description)
    }
    try check(zygote.promises)
    started[executable] = zygote
    return zygote
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
  }
}
