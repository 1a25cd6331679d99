import Foundation
import Model
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// What reaches a process, and what never does.
  @Suite struct DeliveryTests {
    @Test func `what a verdict blocks is in no byte of the receiver's container`() throws {
      let lab = try Lab(policy: .managedOnly)
      try lab.app("managed", managed: true)
      try lab.app("outsider")
      lab.share("canary-4711", from: "managed", to: "outsider")
      #expect(lab.decisions.map(\.verdict.outcome) == [.blocked])
      #expect(lab.inbox(of: "outsider") == [])
      lab.close()
    }

    @Test func `what is delivered encrypted cannot be read`() throws {
      let lab = try Lab(policy: .managedOnly)
      try lab.app("managed", managed: true)
      try lab.app("outsider")
      lab.perform(
        .share(Share(destination: "outsider", item: Item(text: "canary-4711"), via: .os)),
        on: "managed")
      #expect(lab.ends.map(\.end) == [.deliveredEncrypted])
      let inbox = lab.device.containerPath(of: "outsider") + "/Inbox/1"
      let bytes = try #require(FileManager.default.contents(atPath: inbox))
      #expect(bytes.count == 11 + 28)
      #expect(bytes.range(of: Data("canary".utf8)) == nil)
      lab.close()
    }

    @Test func `items arrive in the order in which they were sent`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try lab.app("receiver")
      var done = 0
      for number in 1...500 {
        lab.device.driver.perform(
          .share(Share(destination: "receiver", item: Item(text: "\(number)"))), on: "sender"
        ) { _ in done += 1 }
      }
      lab.wait("500 outcomes") { done == 500 }
      #expect(lab.inbox(of: "receiver") == (1...500).map(String.init))
      lab.close()
    }

    @Test func `an item of many megabytes arrives whole`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try lab.app("receiver")
      let text = String(repeating: "0123456789abcdef", count: 512 * 1024)
      lab.share(text, from: "sender", to: "receiver")
      #expect(lab.inbox(of: "receiver").first?.utf8.count == text.utf8.count)
      #expect(lab.inbox(of: "receiver") == [text])
      lab.close()
    }

    @Test func `large items of processes go through memory, whole and in order`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try lab.app("receiver")
      let texts = (1...6).map { String(repeating: "\($0)23456789abcdef", count: 10_000 * $0) }
      for text in texts { lab.share(text, from: "sender", to: "receiver") }
      #expect(lab.inbox(of: "receiver") == texts)
      let registry = lab.device.owners.registry
      #expect(try registry.find("sender").connection?.memory.window != nil)
      #expect(try registry.find("receiver").connection?.memory.inbox != nil)
      lab.close()
    }

    @Test func `sign-ins and keychain items outlive the device`() throws {
      let folder = NSTemporaryDirectory() + "sluice-kept-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let key = KeychainKey(service: "sync", account: "anna")
      do {
        let lab = try Lab(policy: .managedOnly) { $0.folder = folder }
        try lab.app("managed", managed: true)
        lab.perform(.keychainAdd(key, value: Array("token".utf8)), on: "managed")
        lab.close()
      }
      let lab = try Lab(policy: .managedOnly) { $0.folder = folder }
      try lab.app("managed")
      #expect(lab.device.identity(of: "managed")?.identity.accountID == Lab.anna.upn)
      #expect(lab.perform(.keychainQuery(key), on: "managed") == "token")
      lab.close()
    }
  }
}
