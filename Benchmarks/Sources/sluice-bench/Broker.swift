internal import ArgumentParser
internal import EventLoop
internal import Foundation
internal import Host
internal import Model

/// Two C guests that exchange items through a device. The reference broker runs with the same
/// guests.
struct Broker: ParsableCommand {
  enum Mode: String, CaseIterable, ExpressibleByArgument {
    case rt, tp
  }

  @Argument(help: "Round trips (rt), or one-way messages without waiting (tp).") var mode: Mode
  @Argument(help: "Size of each item in bytes.") var size: Int
  @Argument(help: "Number of messages.") var count: Int
  @Flag(help: "Write the journal.") var journal = false
  @Flag(help: "Detect content that is passed on without its tag.") var content = false
  @Flag(help: "Disable shared memory, so messages contain all payloads.") var inline = false
  @Flag(help: "Only route, without decisions and tags.") var bare = false
  @Flag(help: "Do not poll before sleeping, so a count of instructions excludes waiting.")
  var noPoll = false

  func run() throws {
    let bench = try Workbench {
      $0.journal = journal ? .written : .off
      $0.lineage = content ? .content : .tags
      $0.enforcement = bare ? .none : .full
      if inline { $0.limits.sharedMemoryInAll = 0 }
    }
    bench.device.loop.pollsBeforeSleep = !noPoll
    try install("receiver", ["receive"], bench)
    try install(
      "sender", ["send", "com.example.receiver", mode.rawValue, "\(size)", "\(count)"], bench)
    bench.launch(["receiver"])
    bench.launch(["sender"])
    bench.device.run { !bench.device.guests.isRunning("sender") }
    let result = bench.container(of: "sender") + "/result"
    print(try String(contentsOfFile: result, encoding: .utf8), terminator: "")
    bench.close()
  }

  private func install(_ name: String, _ arguments: [String], _ bench: Workbench) throws {
    let peer = FileManager.default.currentDirectoryPath + "/build/peer"
    try bench.device.install(
      AppDescription(
        name: name, bundleID: "com.example.\(name)",
        program: .executable(path: peer, arguments: arguments), integratesSDK: true))
    try bench.device.accounts.presetSignIn(Workbench.anna, in: name)
  }
}
