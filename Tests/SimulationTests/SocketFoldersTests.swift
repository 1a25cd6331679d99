import Foundation
import TestSupport
import Testing

@testable import Simulation

/// Where control sockets are looked for.
@Suite struct SocketFoldersTests {
  private let workspace: Workspace
  private let user = geteuid()

  init() throws { workspace = try Workspace() }

  private func folders(_ environment: [String: String]) -> SocketFolders {
    SocketFolders(environment: environment, user: user, sessions: workspace.path("user"))
  }

  private func makeSession(_ mode: Int) throws {
    try FileManager.default.createDirectory(
      atPath: workspace.path("user/\(user)"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: mode])
  }

  @Test func `the run-time folder comes first, the user's temporary folder last`() {
    #expect(
      folders(["XDG_RUNTIME_DIR": "/run/mine", "TMPDIR": "/scratch/"]).paths == [
        "/run/mine/sluice", "/scratch/sluice-\(user)",
      ])
  }

  @Test(arguments: [[:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "run", "TMPDIR": "tmp"]])
  func `without a run-time folder the temporary one takes sockets`(environment: [String: String]) {
    #expect(folders(environment).paths == ["/tmp/sluice-\(user)"])
  }

  @Test func `the session's folder stands in for the variable where it is the user's alone`() throws
  {
    try makeSession(0o700)
    #expect(folders([:]).paths.first == workspace.path("user/\(user)/sluice"))
    #expect(chmod(workspace.path("user/\(user)"), 0o755) == 0)
    #expect(folders([:]).paths == ["/tmp/sluice-\(user)"])
  }

  @Test func `a missing folder is made for its owner alone`() throws {
    let folders = folders(["TMPDIR": workspace.path])
    try folders.make(folders.paths[0])
    var status = stat()
    #expect(lstat(folders.paths[0], &status) == 0)
    #expect(status.st_mode == S_IFDIR | 0o700)
  }

  @Test(arguments: ["open", "link"])
  func `a replacement that others may enter or redirect takes no sockets`(kind: String) throws {
    let folders = folders(["TMPDIR": workspace.path])
    let real = kind == "link" ? workspace.path("elsewhere") : folders.replacement
    try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: true)
    #expect(chmod(real, kind == "link" ? 0o700 : 0o755) == 0)
    if kind == "link" { #expect(symlink(real, folders.replacement) == 0) }
    try workspace.write("", to: "elsewhere/x.sock")
    let error = #expect(throws: RunError.self) { try folders.make(folders.replacement) }
    #expect(error?.description.contains("open to others or another user's") == true)
    #expect(folders.sockets.isEmpty)
  }
}
