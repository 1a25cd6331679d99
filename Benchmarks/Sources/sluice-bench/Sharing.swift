internal import ArgumentParser
internal import Foundation
internal import Host
internal import Model
internal import Wire

/// Measures a share to an extension, from the request to its completion. The cold rows include the
/// start of the extension's process. One row has a Lua extension that loads the item, and the other
/// has the ready-made guest, which also stores it. The warm row covers the four messages from the
/// device's last decision to the sender's answer. It is compared with the four messages of a bare
/// brokered round trip. In both cases, the other side is a C program.
struct Sharing: ParsableCommand {
  @Argument(help: "Number of shares.") var count = 300

  func run() throws {
    let bench = try Workbench { $0.journal = .off }
    try bench.installExtensions()
    let broker = try Workbench {
      $0.journal = .off
      $0.enforcement = .none
    }
    try broker.launchPeers()
    var decided = ContinuousClock.now
    let observer = DeviceObserver(
      onDecision: { _, _ in decided = .now },
      onEnd: { request, end, _ in
        precondition(end != .undeliverable, "request \(request) did not arrive")
      })
    (bench.device.observer, broker.device.observer) = (observer, observer)
    var (cold, stored, warm, bare): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    for _ in 0..<count {
      cold.append(seconds { bench.perform(Self.share("script"), on: "sender") })
      bench.awaitExtensions()
      stored.append(seconds { bench.perform(Self.share("extension"), on: "sender") })
      bench.awaitExtensions()
      bench.perform(Self.share("peer"), on: "sender")
      warm.append((ContinuousClock.now - decided) / .seconds(1))
      bench.awaitExtensions()
      // The round trip is made only once, like the extension's share, because repeated shares would
      // benefit from warm caches.
      broker.perform(Self.share("receiver"), on: "sender")
      bare.append((ContinuousClock.now - decided) / .seconds(1))
    }
    printResult(
      "sharing",
      [
        "n": count, "cold_p50_ms": median(cold) * 1e3, "stored_p50_ms": median(stored) * 1e3,
        "warm_us": median(warm) * 1e6, "bare_us": median(bare) * 1e6,
        "ratio": median(warm) / median(bare),
      ])
    bench.close()
    broker.close()
  }

  /// Returns an item of 64 bytes that the C peer accepts repeatedly. It is the payload for counter
  /// 0 in `reference/fresh.h`.
  private static func share(_ destination: String) -> GuestMessage.Body {
    let bytes = (0..<64).map { UInt8($0 % 8 == 0 ? $0 / 8 : 0) }
    let item = Item(type: Item.plainText, payload: .inline(bytes))
    return .share(Share(destination: destination, item: item))
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

extension Workbench {
  /// Waits for the extensions' processes to end, so they use no processor time during the next
  /// measurement.
  fileprivate func awaitExtensions() { device.run { !device.guests.isRunningExtensions } }

  /// Installs `sender` and three share extensions of another app of the same account: `script`, `extension`
  /// (the ready-made guest) and `peer` (a C program).
  fileprivate func installExtensions() throws {
    try device.install(
      AppDescription(name: "sender", bundleID: "com.example.sender", integratesSDK: true))
    try device.install(
      AppDescription(name: "receiver", bundleID: "com.example.receiver", integratesSDK: true))
    let peer = FileManager.default.currentDirectoryPath + "/build/peer"
    let script = folder + "/loads.lua"
    try "share.loaded(function(item) share.complete() end)".write(
      toFile: script, atomically: true, encoding: .utf8)
    let programs: [(String, AppDescription.Program)] = [
      ("script", .script(path: script)),
      ("extension", .readyMade),
      ("peer", .executable(path: peer, arguments: ["extend", Item.plainText])),
    ]
    for (name, program) in programs {
      try device.install(
        AppDescription(
          name: name, bundleID: "com.example.receiver.\(name)",
          kind: .extension(.share, in: "com.example.receiver"), program: program,
          integratesSDK: true))
    }
    for name in ["sender", "receiver"] { try device.accounts.presetSignIn(Self.anna, in: name) }
    launch(["sender"])
  }
}
