internal import Glibc

extension ControlGroup {
  /// The control group of one program, which it is born in and cannot leave.
  final class OfGuest {
    /// A descriptor of the group's folder.
    let descriptor: Int32
    private let folder: ControlGroupFolder
    private let didEnd: () -> Void
    private var isClosed = false

    /// - Returns: nil where the system has no descriptor left.
    init?(_ folder: ControlGroupFolder, didEnd: @escaping () -> Void) {
      descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      self.folder = folder
      self.didEnd = didEnd
    }

    /// Whether the kernel has killed the processes of the group because they had more memory than they may. Kills count also
    /// where a group above or the machine had none left, but what is counted as `oom` is this group's own.
    var ranOutOfMemory: Bool {
      ["oom", "oom_kill"].allSatisfy { (folder.count($0, in: "memory.events") ?? 0) > 0 }
    }

    /// Whether the kernel has refused the group a process or thread because it had as many as it may, and not because a group
    /// above had: before Linux 6.11 that counts, too.
    var ranOutOfProcesses: Bool {
      guard (folder.count("max", in: "pids.events") ?? 0) > 0,
        let most = folder.text("pids.max").flatMap({ Int($0) }),
        let peak = (folder.text("pids.peak") ?? folder.text("pids.current")).flatMap({ Int($0) })
      else { return false }
      return peak >= most
    }

    /// Ends what is left in the group, and gives it back.
    func close() {
      guard !isClosed else { return }
      isClosed = true
      Glibc.close(descriptor)
      didEnd()
    }

    deinit { close() }
  }
}
