internal import AppConfiguration
internal import ArgumentParser
internal import Encodings
internal import Host
internal import Model
internal import Wire

/// Measures a change of the app configuration for many running apps, until the last app has
/// received it. Each app is asked for its configuration directly after the change. For comparison,
/// the same number of bytes is sent to the same apps and answered.
struct Configuring: ParsableCommand {
  @Argument(help: "Number of apps.") var count = 500
  @Option(help: "Number of keys in the configuration.") var keys = 20
  @Option(help: "Number of changes; the result is the median.") var rounds = 15

  func run() throws {
    let bench = try Workbench()
    let names = (1...count).map { "app-\($0)" }
    for name in names {
      try bench.device.install(
        AppDescription(name: name, bundleID: "com.example.sender", integratesSDK: true))
      try bench.device.accounts.presetSignIn(Workbench.anna, in: name)
    }
    bench.launch(names)
    var changes: [Double] = []
    var broadcasts: [Double] = []
    for round in 1...rounds {
      changes.append(try change(to: round, on: names, bench))
      broadcasts.append(broadcast(round, to: names, bench))
    }
    let change = changes.percentile(0.5)
    let broadcast = broadcasts.percentile(0.5)
    printResult(
      "configuring",
      [
        "n": count, "ms": change * 1000, "max_ms": (changes.max() ?? 0) * 1000,
        "broadcast_ms": broadcast * 1000, "ratio": change / broadcast,
      ])
    bench.close()
  }

  private func change(to round: Int, on names: [String], _ bench: Workbench) throws -> Double {
    let question = ConfigurationQuestion(account: Workbench.anna.upn, key: "key-1")
    var waiting = names.count
    var isRight = true
    let elapsed = seconds {
      bench.device.configurations.assign([assignment(round)], to: Workbench.anna)
      for name in names {
        bench.device.driver.lookUp(question, on: name) { result in
          waiting -= 1
          if (try? result.get())?.values != [value(1, round)] { isRight = false }
        }
      }
      bench.device.run { waiting == 0 }
    }
    guard isRight else { throw ValidationError("an app has another configuration") }
    return elapsed
  }

  private func broadcast(_ round: Int, to names: [String], _ bench: Workbench) -> Double {
    let entries = assignment(round).document.entries
    let size = entries.reduce(0) { $0 + $1.key.utf8.count + (value(1, round).utf8.count) + 6 }
    let item = Item(
      type: "public.data", payload: .inline([UInt8](repeating: UInt8(round & 127), count: size)))
    var waiting = names.count
    return seconds {
      for name in names {
        bench.device.driver.instruct(Behaviour(provides: item), on: name) { _ in waiting -= 1 }
      }
      bench.device.run { waiting == 0 }
    }
  }

  private func assignment(_ round: Int) -> AppConfigurationAssignment {
    let entries = (1...keys).map { key in
      AppConfigurationDocument.Entry(
        key: "key-\(key)", value: .text(value(key, round)), position: Position(line: 1, column: 1))
    }
    let document = AppConfigurationDocument(
      displayName: "bench", file: "bench", channel: .managedApps, entries: entries)
    return AppConfigurationAssignment(
      document: document, account: Workbench.anna, apps: ["com.example.sender"])
  }

  /// Returns a value of 40 characters.
  private func value(_ key: Int, _ round: Int) -> String {
    let text = "\(key) of round \(round) "
    return text + String(repeating: "x", count: max(0, 40 - text.count))
  }
}
