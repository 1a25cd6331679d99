internal import ArgumentParser
internal import Host
internal import Model
internal import Wire

/// Measures the enrollment of an account in each of many running apps, until the last app has its policy.
struct Enrolling: ParsableCommand {
  @Argument(help: "Number of apps.") var count = 500

  func run() throws {
    let bench = try Workbench()
    let names = (1...count).map { "app-\($0)" }
    for name in names {
      try bench.device.install(
        AppDescription(
          name: name, bundleID: "com.example.sender", integratesSDK: true, isMultiIdentity: true))
    }
    bench.launch(names)
    var remaining = count
    let elapsed = seconds {
      for name in names {
        bench.device.driver.perform(
          .enroll(Enroll(account: Workbench.anna.upn)), on: name
        ) { _ in remaining -= 1 }
      }
      bench.device.run { remaining == 0 }
    }
    printResult("enrolling", ["n": count, "s": elapsed])
    bench.close()
  }
}
