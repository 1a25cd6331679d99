import Model
import TestSupport
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

    /// Returns a device with a script that stores what it receives.
    private static func lab(script: String, _ chances: Chances, _ kind: AppDescription.Kind = .app)
      throws -> (Lab, Workspace)
    {
      let lab = try Lab(apps: ["sender"])
      let workspace = try Workspace()
      let path = try workspace.write(script, to: "shop.lua")
      try lab.device.install(
        AppDescription(
          name: "shop", bundleID: "com.example.host.shop", kind: kind,
          program: .script(path: path), behaviour: Behaviour(chances: chances)))
      if kind == .app { lab.launch(["shop"]) }
      return (lab, workspace)
    }

    @Test func `with a crash probability of 1, a script crashes before its callback`() throws {
      let (lab, _) = try Self.lab(
        script: "app.received(function(item) files.write('got', item.text) end)",
        Chances(crash: Chances.whole))
      lab.share("item", from: "sender", to: "shop")
      #expect(Self.ends(of: lab) == [.undeliverable])
      lab.wait("the crash") { lab.exits(of: "shop") == ["signalled"] }
      #expect(lab.device.guests.isDescribed(.signalled(signal: 6), of: "shop"))
      #expect(!lab.device.guests.isDescribed(.signalled(signal: 11), of: "shop"))
      #expect(!lab.device.guests.isDescribed(.unresponsive(doing: "anything"), of: "shop"))
      lab.close()
    }

    @Test(arguments: [
      "share.loaded(function(item) share.complete() end)",
      "share.requested(function() local item = share.load('public.utf8-plain-text') if item then share.complete() end end)",
    ])
    func `a Lua extension with refusal faults cancels the share request`(script: String) throws {
      let (lab, workspace) = try Self.lab(
        script: script, Chances(refuse: Chances.whole), .extension(.share, in: "com.example.host"))
      // The extension starts for the share.
      defer { withExtendedLifetime(workspace) {} }
      lab.share("item", from: "sender", to: "shop")
      #expect(Self.ends(of: lab) == [.failed])
      #expect(lab.cancellations == ["the extension refuses the item"])
      lab.wait("its exit") { !lab.device.guests.isRunningExtensions }
      lab.close()
    }

    @Test func `a Lua app with refusal faults receives shared items but provides none`() throws {
      let (lab, _) = try Self.lab(
        script: "app.provides(function() return { text = 'goods' } end)",
        Chances(refuse: Chances.whole))
      lab.share("item", from: "sender", to: "shop")
      #expect(Self.ends(of: lab) == [.delivered])
      lab.perform(.import(source: "shop", via: .sdk), on: "sender")
      #expect(lab.inbox(of: "sender") == [])
      lab.close()
    }

    /// The ends of shares with the shop, in order.
    private static func ends(of lab: Lab) -> [RequestEnd] {
      let shares = Set(lab.decisions.filter { $0.operation == .share }.map(\.request))
      return lab.ends.filter { shares.contains($0.request) }.map(\.end)
    }

    @Test func `a guest that crashes on each delivery restarts, and its items are undeliverable`()
      throws
    {
      let lab = try Self.lab(Chances(crash: Chances.whole))
      for number in 1...2 { lab.share("item \(number)", from: "sender", to: "shop") }
      #expect(Self.ends(of: lab) == [.undeliverable, .undeliverable])
      #expect(lab.inbox(of: "shop") == [])
      lab.wait("the crashes") { lab.exits(of: "shop") == ["signalled", "signalled"] }
      lab.close()
    }

    @Test func `a guest that hangs is terminated at its deadline`() throws {
      let lab = try Self.lab(Chances(hang: Chances.whole))
      lab.shareInVain("item", from: "sender", to: "shop")
      #expect(Self.ends(of: lab) == [.undeliverable])
      lab.expectEnd(of: "shop", "unresponsive")
      lab.close()
    }

    private static let `extension` = AppDescription.Kind.extension(
      .share, in: "com.example.host")

    @Test(
      arguments: [
        (.app, nil, 256), (.app, "app.received(function(item) end)", 256),
        (Self.extension, nil, 120),
        (Self.extension, "share.loaded(function(item) share.complete() end)", 120),
      ] as [(AppDescription.Kind, String?, Int)])
    func `a guest above the memory limit of an app or extension is terminated`(
      kind: AppDescription.Kind, script: String?, mebibytes: Int
    ) throws {
      let lab = try Lab(apps: ["sender"]) {
        $0.limits.memory = 256 << 20
        $0.limits.delivery = 3_600_000
        $0.limits.extensionRequest = 3_600_000
      }
      let workspace = try Workspace()
      let path = try script.map { try workspace.write($0, to: "shop.lua") }
      try lab.device.install(
        AppDescription(
          name: "shop", bundleID: "com.example.host.shop", kind: kind,
          program: path.map { .script(path: $0) } ?? .readyMade,
          behaviour: Behaviour(chances: Chances(hoard: Chances.whole))))
      if kind == .app { lab.launch(["shop"]) }
      let guest = kind == .app ? "shop" : "shop#1"
      var isDone = false
      lab.device.driver.perform(.sharing("item", with: "shop"), on: "sender") { _ in isDone = true }
      lab.wait("the guest") { lab.device.services.registry[guest]?.isReady == true }
      lab.waitAsTimePasses("the outcome") { isDone }
      #expect(Self.ends(of: lab) == [.undeliverable])
      lab.waitAsTimePasses("its exit") { !lab.exits(of: guest).isEmpty }
      #expect(lab.exits(of: guest) == ["memoryLimit"])
      #expect(
        lab.exitText(of: guest) == "killed: used more than \(mebibytes) MiB of memory")
      #expect(lab.device.guests.isDescribed(.memoryLimit(mebibytes: mebibytes), of: "shop"))
      try lab.closeInService()
    }

    @Test func `an extension with refusal faults cancels the share request`() throws {
      let lab = try Self.lab(
        Chances(refuse: Chances.whole), kind: .extension(.share, in: "com.example.host"))
      lab.share("item", from: "sender", to: "shop")
      #expect(Self.ends(of: lab) == [.failed])
      #expect(lab.cancellations == ["the extension refuses the item"])
      lab.wait("its exit") { !lab.device.guests.isRunningExtensions }
      lab.close()
    }

    @Test func `an app with refusal faults receives shared items but provides none`() throws {
      let lab = try Self.lab(Chances(refuse: Chances.whole))
      lab.share("item", from: "sender", to: "shop")
      #expect(lab.inbox(of: "shop") == ["item"])
      lab.perform(.import(source: "shop", via: .sdk), on: "sender")
      #expect(lab.inbox(of: "sender") == [])
      lab.close()
    }

    @Test func `a guest's random faults are drawn separately for each delivery`() throws {
      let lab = try Self.lab(Chances(crash: Chances.whole / 2))
      for _ in 1...16 { lab.share("the same", from: "sender", to: "shop") }
      #expect(Set(Self.ends(of: lab)) == [.delivered, .undeliverable])
      lab.close()
    }

    @Test func `runs with the same seed have the same random faults, despite restarts`() throws {
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
