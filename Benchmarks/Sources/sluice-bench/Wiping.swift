internal import ArgumentParser
internal import Host
internal import Wire

/// Measures the selective wipe of an account that owns half of a large number of files.
struct Wiping: ParsableCommand {
  @Argument(help: "Total number of files.") var count = 20_000

  func run() throws {
    let bench = try Workbench { $0.journal = .off }
    try bench.launchMultiIdentityApp("sender")
    for number in 0..<count {
      let file = FileReference("Documents/\(number % 100)/\(number)")
      let work = FileWork(.write, file, content: Array("content of \(number)".utf8))
      let owner = number.isMultiple(of: 2) ? Workbench.anna : Workbench.private
      bench.perform(work, as: owner, on: "sender")
    }
    var isDone = false
    let elapsed = try seconds {
      try bench.device.wipes.wipe(Workbench.anna, in: "sender") { isDone = true }
      bench.device.run { isDone }
    }
    printResult("wiping", ["n": count, "s": elapsed])
    bench.close()
  }
}
