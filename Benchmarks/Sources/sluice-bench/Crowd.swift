internal import ArgumentParser
internal import EventLoop
internal import Host
internal import Wire

/// Measures a large number of ready-made guests: their start, one answer from each, and their
/// shutdown.
struct Crowd: ParsableCommand {
  @Argument(help: "Number of guests.") var count = 10_000

  func run() throws {
    DescriptorLimit.raise()
    let bench = try Workbench { $0.journal = .off }
    let names = (1...count).map { "app-\($0)" }
    for name in names {
      try bench.device.install(AppDescription(name: name, bundleID: "com.example.crowd"))
    }
    let before = MemorySize.available()
    let up = seconds { bench.launch(names) }
    let running = bench.device.guests.running.count
    guard running == count else {
      bench.close()
      throw CleanExit.message("RESULT crowd n=\(running): of \(count) guests, no more started")
    }
    let answers = seconds { bench.performOnAll(.paste, on: names) }
    let memory = (before - MemorySize.available()) / count
    let host = MemorySize.ownResident() / 1024
    let down = seconds { bench.stop(names) }
    print(
      "RESULT crowd n=\(count) ms=\(Int((up + answers + down) * 1000)) up_ms=\(Int(up * 1000))"
        + " answers_ms=\(Int(answers * 1000)) down_ms=\(Int(down * 1000)) each_kib=\(memory)"
        + " host_rss_mib=\(host)")
    bench.close()
  }
}
