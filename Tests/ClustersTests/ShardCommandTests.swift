import Foundation
import TestSupport
import Testing

@testable import Clusters

/// Scripts that do shards, run by a real shell.
@Suite struct ShardCommandTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  private func run(_ script: String, shard: String = "2") throws -> Int32 {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    shell.arguments = [try folder.write(script, to: "script.sh"), shard]
    try shell.run()
    shell.waitUntilExit()
    return shell.terminationStatus
  }

  /// A command that writes its words, one a line, and ends with a status.
  private func script(_ words: [String] = [], status: Int = 0) -> String {
    ShardCommand(
      ["sh", "-c", #"printf '%s\n' "$@"; exit \#(status)"#, "sluice"] + words, shards: 4
    )
    .script(number: "$1", folder: "jobs/one")
  }

  @Test func `every word reaches the command as it is`() throws {
    let words = ["run", "it's a \"file\".yaml", "$HOME `ls` \\", "", "--seed=7", "ä\u{1F600}", "*"]
    #expect(try run(script(words)) == 0)
    let told = try folder.read("jobs/one/2.log")
    #expect(
      told == (words + ["--shard", "2/4", "--blob", "jobs/one/2.blob"]).map { $0 + "\n" }.joined())
  }

  @Test(arguments: [0: 0, 1: 0, 2: 2, 70: 70])
  func `what does not hold is a result, and what cannot be run is none`(status: Int, left: Int)
    throws
  {
    #expect(try run(script(status: status)) == Int32(left))
  }

  @Test func `what has been done is not done again`() throws {
    try folder.write("", to: "jobs/one/2.blob")
    #expect(try run(script(status: 2)) == 0)
    #expect(!folder.has("jobs/one/2.log"))
  }

  @Test func `where the job's folder cannot be made, the shard ends`() throws {
    try folder.write("", to: "jobs")
    #expect(try run(script()) == 73)
  }

  @Test(arguments: [
    ("slurm", ClusterTarget.slurm), ("ssh:a", .ssh(["a"])),
    ("ssh:a,user@b:22", .ssh(["a", "user@b:22"])),
    ("kubernetes", .kubernetes),
  ])
  func `a target has a name`(text: String, target: ClusterTarget) {
    #expect(ClusterTarget(text) == target && target.text == text)
  }

  @Test(arguments: ["", "Slurm", "ssh", "ssh:", "ssh:a,", "ssh:-oProxyCommand=x", "k8s"])
  func `what is no target is refused`(text: String) { #expect(ClusterTarget(text) == nil) }
}
