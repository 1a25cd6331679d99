import Foundation
import Model
import Testing
import Wire

@testable import Host
@testable import Policy

extension RealProcesses {
  /// What becomes of data that apps hand to the system and to storage locations.
  @Suite struct UseTests {
    @Test func `what is printed is a file of the device`() throws {
      let lab = try Lab(policy: .managedOnly)
      try lab.app("managed", managed: true)
      lab.perform(
        .use(SystemHandOff(channel: "print", item: Item(text: "Quarterly figures"))), on: "managed")
      #expect(lab.ends.map(\.end) == [.delivered])
      #expect(Self.pieces(at: "print", of: lab) == ["Quarterly figures"])
      lab.close()
    }

    @Test func `what a policy blocks is printed nowhere`() throws {
      let lab = try Lab(policy: .strict)
      try lab.app("managed", managed: true)
      lab.perform(
        .use(SystemHandOff(channel: "print", item: Item(text: "canary-4711"))), on: "managed")
      #expect(lab.decisions.map(\.verdict.deciding) == [.printingBlocked])
      #expect(Self.pieces(at: "print", of: lab) == [])
      lab.close()
    }

    @Test func `a question moves nothing`() throws {
      let lab = try Lab(policy: .managedOnly)
      try lab.app("managed", managed: true)
      lab.perform(.use(SystemHandOff(channel: "print")), on: "managed")
      #expect(lab.ends.map(\.end) == [.delivered])
      #expect(Self.pieces(at: "print", of: lab) == [])
      lab.close()
    }

    @Test func `a managed file is written as ciphertext where the SDK requires it`() throws {
      let lab = try Lab(policy: .strict) { $0.state.isFileEncryptionRequired = true }
      try lab.app("managed", managed: true)
      lab.perform(
        .use(SystemHandOff(channel: "fileEncryption", item: Item(text: "canary-4711"))),
        on: "managed")
      #expect(lab.ends.map(\.end) == [.deliveredEncrypted])
      let pieces = Self.pieces(at: "fileEncryption", of: lab)
      #expect(pieces.count == 1 && !pieces[0].contains("canary"))
      lab.close()
    }

    @Test(arguments: ["../../escaped", "oneDrive", "", "localStorage"])
    func `a location that there is none of is refused, and names no path`(location: String) throws {
      let lab = try Lab(policy: .managedOnly)
      try lab.app("managed", managed: true)
      lab.perform(
        .use(SystemHandOff(channel: "saveTo", location: location, item: Item(text: "x"))),
        on: "managed")
      #expect(lab.decisions.map(\.verdict.deciding) == [.noSuchLocation])
      #expect(!FileManager.default.fileExists(atPath: lab.outlet))
      lab.close()
    }

    @Test func `an account where a location has none is refused`() throws {
      let lab = try Lab(policy: .managedOnly)
      try lab.app("managed", managed: true)
      lab.perform(
        .use(SystemHandOff(channel: "saveTo", location: "cameraRoll", account: "anna@contoso.com")),
        on: "managed")
      #expect(lab.decisions.map(\.verdict.deciding) == [.locationHasNoAccount])
      lab.close()
    }

    @Test(arguments: ["share", "clipboard", "teleport", ""])
    func `a guest that uses what is no channel to the system is ended alone`(
      channel: String
    ) throws {
      let lab = try Lab()
      try lab.app("odd")
      lab.perform(.use(SystemHandOff(channel: channel)), on: "odd")
      lab.wait("its end") { !lab.device.guests.isRunning("odd") }
      #expect(lab.exits(of: "odd") == ["protocolViolation"])
      try lab.expectService()
      lab.close()
    }

    @Test func `only so many pieces are kept`() throws {
      let outlet = Outlet(folder: NSTemporaryDirectory() + "sluice-outlet-\(UUID().uuidString)")
      defer { outlet.remove() }
      var kept = 0
      for number in 1...5000 where outlet.keep([1], named: "\(number)", at: "print") { kept += 1 }
      #expect(kept == 4096)
    }

    @Test func `a piece that cannot be kept does not count`() throws {
      let outlet = Outlet(folder: NSTemporaryDirectory() + "sluice-outlet-\(UUID().uuidString)")
      defer { outlet.remove() }
      #expect(outlet.keep([1], named: "1", at: "print"))
      for _ in 1...5000 where outlet.keep([1], named: "1", at: "print") {
        Issue.record("a piece has taken another's place")
      }
      #expect(outlet.keep([1], named: "2", at: "print"))
    }

    private static func pieces(at place: String, of lab: Lab) -> [String] {
      let folder = "\(lab.outlet)/\(place)"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.sorted().compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// What stands between a guest and its account's policy.
  @Suite struct ConditionalLaunchTests {
    private static func lab(_ adjust: (inout Settings) -> Void) throws -> Lab {
      var settings = Settings.managedOnly
      adjust(&settings)
      return try Lab(policy: settings) { $0.prompts = .asked }
    }

    @Test func `a guest that is locked gets nothing, and others are served`() throws {
      let lab = try Self.lab { $0.pinRequired = true }
      try lab.app("managed", managed: true)
      try lab.app("outsider")
      lab.perform(.copy(Item(text: "x")), on: "managed")
      lab.share("x", from: "managed", to: "outsider")
      lab.perform(.use(SystemHandOff(channel: "print")), on: "managed")
      #expect(lab.decisions.map(\.verdict.deciding) == [.pinNotSet, .pinNotSet, .pinNotSet])
      #expect(lab.inbox(of: "outsider") == [])
      try lab.expectService()
      lab.close()
    }

    @Test func `a lock does not outlast the account`() throws {
      let lab = try Self.lab { $0.pinRequired = true }
      try lab.app("managed", managed: true)
      lab.perform(.signOut(account: "anna@contoso.com"), on: "managed")
      lab.perform(.copy(Item(text: "x")), on: "managed")
      #expect(lab.ends.map(\.end) == [.delivered, .delivered])
      lab.close()
    }

    @Test func `no PIN is in the journal`() throws {
      let lab = try Self.lab { $0.pinRequired = true }
      try lab.app("managed", managed: true)
      lab.perform(
        .unlock(Unlock(pin: "80258025", hasCredentials: true, setsPIN: true)), on: "managed")
      #expect(lab.ends.map(\.end) == [.delivered])
      let journal = try String(contentsOfFile: lab.device.journalPath, encoding: .utf8)
      #expect(!journal.contains("80258025"))
      lab.close()
    }

    @Test func `a wipe takes the account's content off the pasteboard`() throws {
      let lab = try Self.lab {
        $0.deviceComplianceRequired = true
        $0.appActionIfDeviceComplianceRequired = .wipe
      }
      try lab.app("managed", managed: true)
      lab.perform(.copy(Item(text: "Quarterly figures")), on: "managed")
      lab.device.guests.suspend("managed")
      lab.device.access.change { $0.isJailbroken = true }
      lab.device.guests.resume("managed")
      lab.wait("the wipe") { !lab.device.wipes.isWiping }
      lab.perform(.paste, on: "managed")
      #expect(lab.decisions.map(\.verdict.deciding) == [.copiedToPasteboard, .pasteboardEmpty])
      #expect(lab.device.identity(of: "managed")?.isManaged == false)
      lab.close()
    }
  }
}

extension Lab {
  /// The folder of what was handed to the system.
  fileprivate var outlet: String { device.storage.folders.outlet }
}

extension Outlet {
  fileprivate func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
