internal import ArgumentParser
internal import Host

/// Measures guests one at a time. The time extends from the decision to start a guest to its
/// handshake.
struct FirstMessage: ParsableCommand {
  @Argument(help: "Number of guests.") var count = 300

  func run() throws {
    let bench = try Workbench { $0.journal = .off }
    var times: [Double] = []
    for number in 1...count {
      let name = "app-\(number)"
      try bench.device.install(AppDescription(name: name, bundleID: "com.example.first"))
      times.append(seconds { bench.launch([name]) })
    }
    times.sort()
    print(
      "RESULT first_message n=\(count) p50_us=\(Int(times[count / 2] * 1e6))"
        + " p99_us=\(Int(times[count * 99 / 100] * 1e6))")
    bench.close()
  }
}
