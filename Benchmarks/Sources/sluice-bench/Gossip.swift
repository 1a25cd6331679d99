internal import ArgumentParser
internal import Foundation
internal import Host
internal import Model
internal import Policy

/// Runs a fleet of Lua apps that share with one another at random. Checks that every share has exactly one
/// decision with reasons and one end, and that delivered items arrive exactly once. Also samples the host's
/// memory.
///
/// Every other app is managed, under a policy that keeps org data within managed apps.
struct Gossip: ParsableCommand {
  @Argument(help: "Number of apps.") var count = 1000
  @Option(help: "Number of shares of each app.") var shares = 50
  @Option(help: "Seconds for which the apps share, if the machine is fast enough.")
  var duration = 10
  @Option(help: "Seed of the random choices.") var seed: UInt64 = 1

  func run() throws {
    let bench = try Workbench { $0.seed = seed }
    let names = (1...count).map { "gossip-\($0)" }
    try install(names, on: bench)
    bench.launch(names)
    var memory: [Int] = []
    let elapsed = try seconds {
      try wait(until: { Self.haveReported(names, bench) }, on: bench) {
        memory.append(MemorySize.ownResident())
      }
    }
    let accounts = try Accounts(names, on: bench)
    for line in accounts.missing.sorted().prefix(10) { print("lost: \(line)") }
    let journal = try Ledger(journal: bench.device.journalPath)
    printResult(
      "gossip",
      [
        "apps": count, "seed": Int(seed), "s": elapsed, "shares": accounts.sent.count,
        "delivered": accounts.delivered.count, "lost": accounts.lost,
        "duplicated": accounts.duplicated,
        "undecided": journal.undecided, "unended": journal.unended,
        "unexplained": journal.unexplained,
        "host_mib_first": Double(memory.first ?? 0) / 1024,
        "host_mib_half": Double(memory[memory.count / 2]) / 1024,
        "host_mib_last": Double(memory.last ?? 0) / 1024,
      ])
    bench.close()
  }

  private func install(_ names: [String], on bench: Workbench) throws {
    let script = try script(of: bench)
    for (index, name) in names.enumerated() {
      let isManaged = index % 2 == 0
      try bench.device.install(
        AppDescription(
          name: name, bundleID: isManaged ? "com.example.sender" : "com.example.other",
          program: .script(path: script), integratesSDK: isManaged))
      if isManaged { try bench.device.accounts.presetSignIn(Workbench.anna, in: name) }
    }
  }

  /// Returns the example script with this fleet's parameters.
  private func script(of bench: Workbench) throws -> String {
    let example = FileManager.default.currentDirectoryPath + "/../examples/gossip.lua"
    let numbers = "fleet, shares, pause = "
    let text = try String(contentsOfFile: example, encoding: .utf8)
      .replacingOccurrences(
        of: "\(numbers)1000, 50, 400",
        with: "\(numbers)\(count), \(shares), \(duration * 2_000 / shares)")
    let path = bench.folder + "/gossip.lua"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Runs the device until all apps have reported their shares and no more items arrive. Samples
  /// the memory every second.
  private func wait(
    until isDone: @escaping () -> Bool, on bench: Workbench, sample: () -> Void
  ) throws {
    func second() {
      let end = Date(timeIntervalSinceNow: 1)
      bench.device.run { Date() >= end }
    }
    repeat {
      sample()
      second()
    } while !isDone()
    // The last received items may still be in the process of being written.
    second()
  }

  private static func haveReported(_ names: [String], _ bench: Workbench) -> Bool {
    names.allSatisfy {
      FileManager.default.fileExists(atPath: bench.container(of: $0) + "/sent.txt")
    }
  }
}

/// The records of sent and received items that the apps themselves keep.
private struct Accounts {
  /// Each share, and whether its sender was notified of its delivery.
  var sent: [String: Bool] = [:]
  var received: [String: Int] = [:]

  init(_ names: [String], on bench: Workbench) throws {
    for name in names {
      let folder = bench.container(of: name)
      for line in try Self.lines(folder + "/sent.txt") {
        let words = line.split(separator: " ")
        sent[words.dropLast().joined(separator: " ")] = words.last == "delivered"
      }
      for line in try Self.lines(folder + "/received.txt") {
        // An item that arrives at a wrong app counts as missing at one app and as unexpected at the
        // other.
        received[line.hasSuffix(" \(name)") ? line : "\(line) at \(name)", default: 0] += 1
      }
    }
  }

  var delivered: [String] { sent.filter(\.value).map(\.key) }
  var lost: Int { missing.count }
  var missing: [String] { delivered.filter { received[$0] == nil } }
  var duplicated: Int { received.count { $0.value > 1 || sent[$0.key] != true } }

  private static func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}

/// The records of the journal. Each request must have one decision with reasons, and one end.
private struct Ledger {
  private var decisions: [Int: Int] = [:]
  private var ends: [Int: Int] = [:]
  private(set) var unexplained = 0

  init(journal path: String) throws {
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      let kind = try JournalEvent(line: String(line)).kind
      if case .decided(let decision) = kind {
        decisions[decision.request, default: 0] += 1
        if decision.verdict.reasons.isEmpty { unexplained += 1 }
      }
      if case .ended(let request, _, _, _) = kind { ends[request, default: 0] += 1 }
    }
  }

  var undecided: Int { ends.keys.count { decisions[$0] != 1 } }
  var unended: Int { decisions.keys.count { ends[$0] != 1 } }
}
