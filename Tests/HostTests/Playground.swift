internal import Foundation
internal import TestSupport

@testable import Host

/// A container with a folder beside it that nobody may ever reach from the container.
final class Playground {
  let workspace: Workspace
  var container: String { workspace.path("container") }
  var outside: String { workspace.path("outside") }

  init() throws {
    workspace = try Workspace()
    try FileManager.default.createDirectory(
      atPath: workspace.path("container"), withIntermediateDirectories: false)
    try workspace.write("precious", to: "outside/kept.txt")
  }

  func folder(_ resolution: ContainerFolder.Resolution = .best) throws -> ContainerFolder {
    try ContainerFolder(path: container, resolution: resolution)
  }

  func write(_ text: String, to name: String) throws {
    try workspace.write(text, to: "container/\(name)")
  }

  func read(_ name: String) throws -> String { try workspace.read("container/\(name)") }
  func has(_ name: String) -> Bool { workspace.has("container/\(name)") }

  /// A symbolic link in the container.
  func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(container)/\(name)", withDestinationPath: destination)
  }

  /// Whether what lies outside is as it was.
  var isOutsideIntact: Bool {
    (try? workspace.read("outside/kept.txt")) == "precious"
      && (try? FileManager.default.contentsOfDirectory(atPath: outside)) == ["kept.txt"]
  }
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}
