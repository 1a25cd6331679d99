import Model
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Ready-made guests that fail at random when they get an item.
  @Suite struct ChancesTests {
    private static func lab(
      _ chances: Chances, kind: AppDescription.Kind = .app, seed: UInt64 = 1
    ) throws -> Lab {
      let lab = try Lab(apps: ["sender"]) { $0.seed = seed }
      try lab.device.install(
        AppDescription(
          name: "shop", bundleID: "com.example.host.shop", kind: kind,
          behaviour: Behaviour(provides: Item(text: "goods"), chances: chances)))
      if kind == .app { lab.launch(["shop"]) }
      return lab
    }

    /// The ends of shares with the shop, in order.
    private static func ends(of lab: Lab) -> [RequestEnd] {
      let shares = Set(lab.decisions.filter { $0.operation == .share }.map(\.request))
      return lab.ends.filter { shares.contains($0.request) }.map(\.end)
    }

    @Test func `a guest that always crashes gets no item, and is started for the next one`() throws
    {
      let lab = try Self.lab(Chances(crash: Chances.whole))
      for number in 1...2 { lab.share("item \(number)", from: "sender", to: "shop") }
      #expect(Self.ends(of: lab) == [.undeliverable, .undeliverable])
      #expect(lab.inbox(of: "shop") == [])
      lab.wait("the crashes") { lab.exits(of: "shop") == ["signalled", "signalled"] }
      lab.close()
    }

    @Test func `a guest that hangs is ended at its deadline`() throws {
      let lab = try Self.lab(Chances(hang: Chances.whole))
      lab.shareInVain("item", from: "sender", to: "shop")
      #expect(Self.ends(of: lab) == [.undeliverable])
      lab.expectEnd(of: "shop", "unresponsive")
      lab.close()
    }

    @Test func `an extension that refuses cancels its request`() throws {
      let lab = try Self.lab(
        Chances(refuse: Chances.whole), kind: .extension(.share, in: "com.example.host"))
      lab.share("item", from: "sender", to: "shop")
      #expect(Self.ends(of: lab) == [.failed])
      #expect(lab.cancellations == ["the extension refuses the item"])
      lab.wait("its exit") { !lab.device.guests.isRunningExtensions }
      lab.close()
    }

    @Test func `an app that refuses still receives items, but provides none`() throws {
      let lab = try Self.lab(Chances(refuse: Chances.whole))
      lab.share("item", from: "sender", to: "shop")
      #expect(lab.inbox(of: "shop") == ["item"])
      lab.perform(.import(source: "shop", via: .sdk), on: "sender")
      #expect(lab.inbox(of: "sender") == [])
      lab.close()
    }

    @Test func `each delivery of the same content is drawn separately`() throws {
      let lab = try Self.lab(Chances(crash: Chances.whole / 2))
      for _ in 1...16 { lab.share("the same", from: "sender", to: "shop") }
      #expect(Set(Self.ends(of: lab)) == [.delivered, .undeliverable])
      lab.close()
    }

    @Test func `draws depend on the seed and the items, not on restarts`() throws {
      func outcomes(_ seed: UInt64) throws -> [RequestEnd] {
        let lab = try Self.lab(Chances(crash: Chances.whole / 2), seed: seed)
        for number in 1...16 { lab.share("item \(number)", from: "sender", to: "shop") }
        lab.close()
        return Self.ends(of: lab)
      }
      let first = try outcomes(1)
      #expect(Set(first) == [.delivered, .undeliverable])
      #expect(try outcomes(1) == first)
      #expect(try outcomes(2) != first)
    }
  }
}
