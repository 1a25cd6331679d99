internal import EventLoop

/// The zygotes of a device, from which its guests come. Each starts with the first guest that needs it.
final class Zygotes {
  private let programs: DeviceConfiguration.Programs
  /// The absolute path of the device's folder.
  private let folder: String
  private var started: [String: Zygote] = [:]

  init(_ programs: DeviceConfiguration.Programs, folder: String) {
    self.programs = programs
    self.folder = folder
  }

  /// The zygote of the ready-made guest, which also runs scripts.
  ///
  /// - Throws: ``EventLoopError`` where it does not start.
  func guest() throws(EventLoopError) -> Zygote { try zygote(programs.guest) }

  /// The zygote of programs, which become what they run.
  ///
  /// - Throws: ``EventLoopError`` where it does not start.
  func launch() throws(EventLoopError) -> Zygote { try zygote(programs.launch) }

  private func zygote(_ executable: String) throws(EventLoopError) -> Zygote {
    if let zygote = started[executable], zygote.isAlive { return zygote }
    let zygote = try Zygote(executable: executable, folder: folder)
    started[executable] = zygote
    return zygote
  }

  /// Ends the zygotes; guests live on.
  func close() {
    for zygote in started.values { zygote.close() }
    started.removeAll()
  }
}
