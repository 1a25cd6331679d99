internal import ArgumentParser
internal import Host
internal import Wire

/// Measures the lookup of one keychain item among many, compared with the shortest request that a device
/// decides.
struct Keychain: ParsableCommand {
  @Option(help: "Number of items.") var items = 100_000
  @Argument(help: "Number of lookups.") var count = 20_000

  func run() throws {
    let bench = try Workbench { $0.journal = .off }
    try bench.launchMultiIdentityApp("sender")
    for number in 0..<items {
      bench.perform(.keychainAdd(Self.key(number), value: Array("secret".utf8)), on: "sender")
    }
    var (queries, bare) = (0.0, 0.0)
    for round in 0..<20 {
      bare += seconds {
        for _ in 0..<count / 20 { bench.perform(.paste, on: "sender") }
      }
      queries += seconds {
        for index in 0..<count / 20 {
          let number = (round * 7919 + index * 104_729) % items
          bench.perform(.keychainQuery(Self.key(number)), on: "sender")
        }
      }
    }
    let extra = (queries - bare) / Double(count) * 1e6
    print(
      "RESULT keychain items=\(items) n=\(count) us=\(queries / Double(count) * 1e6)"
        + " bare_us=\(bare / Double(count) * 1e6) extra_us=\(extra)")
    bench.close()
  }

  private static func key(_ number: Int) -> KeychainKey {
    KeychainKey(service: "service-\(number % 100)", account: "account-\(number)")
  }
}
