internal import ArgumentParser
internal import Foundation
internal import Host

/// Measures many ready-made guests: the time until all have completed the handshake, and the memory
/// of each guest.
struct Fleet: ParsableCommand {
  @Argument(help: "Number of guests.") var count = 1000
  @Option(help: "A program to use instead of the ready-made guest.") var guest: String?

  func run() throws {
    let bench = try Workbench {
      $0.journal = .off
      if let guest { $0.programs.guest = guest }
    }
    let names = (1...count).map { "app-\($0)" }
    for name in names {
      try bench.device.install(AppDescription(name: name, bundleID: "com.example.fleet"))
    }
    let before = MemorySize.available()
    let elapsed = seconds { bench.launch(names) }
    let each = (before - MemorySize.available()) / count
    let memory = names.map {
      MemorySize.proportional(of: bench.device.guests.processIdentifier(of: $0))
    }
    let total = memory.reduce(0, +)
    print(
      "RESULT fleet n=\(count) ms=\(Int(elapsed * 1000)) pss_kib=\(total / count)"
        + " each_kib=\(each) total_mib=\(total / 1024) host_rss_mib=\(MemorySize.ownResident() / 1024)"
    )
    bench.close()
  }
}
