internal import CConfinement
internal import EventLoop
internal import Glibc

/// How a guest's process is started: which executable, confined to what.
struct Launcher {
  let configuration: DeviceConfiguration

  /// What dynamically linked programs need to read: loader, libraries, time zones, a few devices.
  private static let runtime: [String] = {
    var paths: [String] = []
    var next = sluice_runtime_paths()
    while let path = next?.pointee {
      paths.append(String(cString: path))
      next = next?.advanced(by: 1)
    }
    return paths
  }()

  func specification(
    _ guest: Guest, groups: [String], servers: ServerAccess, protocolPipe: Pipe, output: Int32
  ) -> ChildProcess.Specification {
    var arguments = confinement(groups) + servers.arguments
    // libdispatch watches its worker threads in /proc/TID/stat, and traps where it cannot.
    if guest.app.usesDispatch { arguments += ["--read-files", "/proc"] }
    let executable: String
    switch guest.app.program {
    case .readyMade:
      executable = configuration.programs.guest
    case .script(let path):
      executable = configuration.programs.guest
      arguments += ["--", path]
    case .executable(let path, let rest):
      executable = configuration.programs.launch
      arguments += ["--write", "/dev/null"]
      for path in Self.runtime + needs(of: path) { arguments += ["--read", path] }
      arguments += ["--", path] + rest
    }
    return ChildProcess.Specification(
      executable: executable, arguments: [executable] + arguments,
      environment: servers.environment, directory: guest.container,
      descriptors: [.null, .inherited(output), .inherited(output), .pipe(protocolPipe)])
  }

  private func confinement(_ groups: [String]) -> [String] {
    let limits = configuration.limits
    var arguments = ["--parent", "\(getpid())", "--write", "."]
    for group in groups { arguments += ["--write", group] }
    arguments += [
      "--memory", "\(limits.memory)", "--file-size", "\(limits.fileSize)",
      "--descriptors", "\(limits.descriptors)",
    ]
    if configuration.requiresConfinement { arguments.append("--require-confinement") }
    return arguments
  }

  /// A folder that a program of that path may read and that the device's own folder is in; nil where there is none.
  func exposure(of folder: String, to path: String) -> String? {
    (Self.runtime + needs(of: path)).first { readable in
      let readable = Folders.absolute(readable)
      return folder == readable || folder.hasPrefix(readable == "/" ? "/" : "\(readable)/")
    }
  }

  /// What a program of that path must read beside the runtime: its own folder, and the interpreters where
  /// it is a script.
  private func needs(of path: String) -> [String] {
    guard let script = Script(path: path) else { return [folder(of: path)] }
    return [folder(of: path), folder(of: script.interpreter), "/usr/bin"]
  }

  private func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
