internal import ArgumentParser
internal import Foundation
internal import Host

/// Compares the memory of guests that run a Lua script with that of ready-made guests.
struct Scripts: ParsableCommand {
  @Argument(help: "Number of guests of each kind.") var count = 50

  func run() throws {
    let script = FileManager.default.currentDirectoryPath + "/../plugins/Leaky.appex/main.lua"
    let bare = try memory(of: .readyMade)
    let scripted = try memory(of: .script(path: script))
    print(
      "RESULT scripts n=\(count) bare_kib=\(bare) lua_kib=\(scripted)"
        + " extra_kib=\(scripted - bare)")
  }

  /// Returns the mean PSS of many guests, in KiB.
  private func memory(of program: AppDescription.Program) throws -> Int {
    let bench = try Workbench { $0.journal = .off }
    let names = (1...count).map { "app-\($0)" }
    for name in names {
      try bench.device.install(
        AppDescription(name: name, bundleID: "com.example.fleet", program: program))
    }
    bench.launch(names)
    // A guest completes its handshake before it runs its script, so the script needs more time.
    Thread.sleep(forTimeInterval: 1)
    let sizes = names.map {
      MemorySize.proportional(of: bench.device.guests.processIdentifier(of: $0))
    }
    bench.close()
    return sizes.reduce(0, +) / count
  }
}
