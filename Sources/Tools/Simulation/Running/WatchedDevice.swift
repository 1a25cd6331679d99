internal import Diagnostics
internal import Foundation
internal import JSON

/// A device that somebody watches: its journal and, while it is up, its control socket.
package struct WatchedDevice: Sendable {
  /// The name of the device, or the path by which it was found.
  package let name: String
  package let journal: String
  /// The path of its control socket; nil where it is not up.
  package let socket: String?

  /// The user's only running device.
  ///
  /// - Throws: ``RunError`` where none is up, or more than one.
  package init() throws(RunError) {
    let path = try ControlSocket.only()
    guard let device = Self(socket: path) else {
      throw RunError(.file(path), "no device answers there", rule: "socket")
    }
    self = device
  }

  /// A device by its folder, its journal, its control socket, or its name where it is up.
  ///
  /// - Throws: ``RunError`` where there is nothing like that.
  package init(_ argument: String) throws(RunError) {
    switch Self.kind(of: argument) {
    case .directory: self.init(journal: "\(argument)/journal.jsonl", named: argument)
    case .file: self.init(journal: argument, named: argument)
    case .socket:
      guard let device = Self(socket: argument) else {
        throw RunError(.file(argument), "no device answers there", rule: "socket")
      }
      self = device
    case nil:
      guard let device = Self(socket: ControlSocket.path(of: argument)) else {
        throw RunError(
          .file(argument), "there is no such folder or journal, and no device of that name is up",
          rule: "file")
      }
      self = device
    }
  }

  private init(journal: String, named name: String) {
    self.name = name
    self.journal = journal
    let place = Self.real(journal)
    socket = SocketFolders().sockets.first {
      Self(socket: $0).map { Self.real($0.journal) } == place
    }
  }

  /// The device that answers at a control socket; nil where none does.
  private init?(socket path: String) {
    guard let status = (try? ControlConnection(path))?.status, let folder = status["folder"]?.string
    else { return nil }
    name = status["device"]?.string ?? path
    journal = "\(folder)/journal.jsonl"
    socket = path
  }

  private enum Kind {
    case directory, file, socket
  }

  /// What is at a path; nil: nothing.
  private static func kind(of path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .directory
    case S_IFSOCK: return .socket
    default: return .file
    }
  }

  /// The path without links.
  private static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
