import EventLoop
import Foundation
import Model
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Host

/// Tests large payloads in memory that the device lends, with correct and misbehaving guests.
@Suite(.timeLimit(.minutes(15))) struct SharedPayloadTests {
  static let least = SharedBytes.leastCount

  /// Returns a large item whose bytes depend on the seed.
  static func item(_ count: Int = least, seed: UInt64 = 1) -> Item {
    var random = SeededGenerator(seed: seed)
    var bytes = [UInt8](repeating: 0, count: count)
    for index in stride(from: 0, to: count, by: 61) {
      bytes[index] = UInt8.random(in: 0...255, using: &random)
    }
    return Item(type: "public.png", name: "photo.png", payload: .inline(bytes))
  }

  private static func app(
    _ name: String, in lab: QuietLab, takingMemory takesMemory: Bool = true
  ) throws -> MemoryGuest {
    let guest = try lab.app(name, saysHello: false)
    guest.sayHello(takingMemory: takesMemory)
    return guest
  }

  /// Returns a device with a sender that has an outbox, and a receiver that has an inbox.
  private static func pair() throws -> (
    lab: QuietLab, sender: MemoryGuest, receiver: MemoryGuest
  ) {
    let lab = try QuietLab()
    let (sender, receiver) = try pair(in: lab)
    return (lab, sender, receiver)
  }

  private static func pair(in lab: QuietLab) throws -> (sender: MemoryGuest, receiver: MemoryGuest)
  {
    let sender = try app("sender", in: lab)
    let receiver = try app("receiver", in: lab)
    sender.say(.share(Share(destination: "receiver", item: item())))
    receiver.acknowledge()
    try #require(sender.memory.outbox != nil && receiver.memory.inbox != nil)
    return (sender, receiver)
  }

  // MARK: Correct use

  @Test func `guests get shared memory with their first large payload`() throws {
    let lab = try QuietLab()
    let (sender, receiver) = try Self.pair(in: lab)
    #expect(sender.memory.inbox == nil && receiver.memory.outbox == nil)
    let photo = Self.item(300_000, seed: 2)
    let request = sender.say(.sharing(photo, with: "receiver"))
    #expect(receiver.memory.unreleased.map(\.count) == [300_000])
    #expect(receiver.deliveries.last?.item.payload == photo.payload)
    #expect(sender.heard.contains { if case .release = $0.body { true } else { false } })
    receiver.acknowledge()
    #expect(sender.outcome(of: request)?.end == .delivered)
  }

  @Test func `payloads of guests without shared memory support stay inline`() throws {
    let lab = try QuietLab()
    let sender = try Self.app("sender", in: lab, takingMemory: false)
    let receiver = try Self.app("receiver", in: lab, takingMemory: false)
    let photo = Self.item(300_000)
    for item in [photo, photo, Item(text: "note")] {
      sender.say(.sharing(item, with: "receiver"))
    }
    #expect(
      receiver.deliveries.map(\.item.payload) == [photo, photo, Item(text: "note")].map(\.payload))
    #expect(sender.memory.outbox == nil && receiver.memory.inbox == nil)
  }

  @Test func `shared payloads of all sizes arrive unchanged, with or without shared memory`() throws
  {
    let lab = try QuietLab()
    var random = SeededGenerator(seed: 3)
    let guests = try (0..<4).map { number in
      try Self.app("app\(number)", in: lab, takingMemory: number % 2 == 0)
    }
    var expected: [String: [Payload]] = [:]
    for round in 0..<120 {
      let sender = guests.randomElement(using: &random)!
      let receiver = guests.randomElement(using: &random)!
      let count = [0, 64, 5_000, Self.least - 1, Self.least, Self.least + 1, 200_000, 1 << 19]
        .randomElement(using: &random)!
      let item = Self.item(count, seed: UInt64(round))
      sender.say(
        .share(
          Share(destination: receiver.guest.name, item: item, isPosted: Bool.random(using: &random))
        ))
      expected[receiver.guest.name, default: []].append(item.payload)
      if Bool.random(using: &random) { receiver.acknowledge() }
    }
    for guest in guests {
      #expect(guest.deliveries.map(\.item.payload) == expected[guest.guest.name] ?? [])
    }
    let ready = guests.allSatisfy(\.guest.isReady)
    #expect(ready)
  }

  @Test func `pasted, imported and returned payloads go through shared memory`() throws {
    let lab = try QuietLab()
    let (sender, receiver) = try Self.pair(in: lab)
    let photo = Self.item(200_000, seed: 4)
    sender.say(.copy(photo))
    #expect(receiver.ask(.paste)?.items.first?.payload == photo.payload)
    #expect(receiver.memory.unreleased.map(\.count) == [200_000])
    receiver.acknowledge()

    let importing = receiver.say(.import(source: "sender", via: .sdk))
    guard case .provideItem(let ask, _)? = sender.heard.last?.body else {
      Issue.record("no app was asked")
      return
    }
    sender.say(.provided(ask: ask, photo), isRequest: false)
    #expect(receiver.outcome(of: importing)?.items.first?.payload == photo.payload)
    #expect(receiver.memory.unreleased.map(\.count) == [200_000])
  }

  @Test func `a file saved from shared memory equals the sent payload`() throws {
    let (lab, sender, _) = try Self.pair()
    let photo = Self.item(150_000, seed: 5)
    #expect(sender.ask(.use(Use(channel: "print", item: photo)))?.end == .delivered)
    let folder = lab.device.configuration.folder + "/System/print"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let saved = try #require(FileManager.default.contents(atPath: "\(folder)/\(name)"))
    #expect(Array(saved) == photo.bytes)
  }

  @Test func `payloads for a stopped guest are stored inline`() throws {
    let (lab, sender, receiver) = try Self.pair()
    lab.device.guests.stop(["receiver"]) {}
    receiver.settle()
    let photo = Self.item(150_000, seed: 6)
    sender.say(.sharing(photo, with: "receiver"))
    let again = try #require(lab.started("receiver").last)
    #expect(again !== receiver)
    again.sayHello(takingMemory: true)
    #expect(again.deliveries.map(\.item.payload) == [photo.payload])
    #expect(again.memory.inbox == nil)
    // The previous process still maps its own memory.
    #expect(receiver.memory.inbox?.bytes.count == lab.device.configuration.limits.sharedMemory)
  }

  @Test func `a blocked payload never appears in the receiver's memory`() throws {
    let lab = try QuietLab(ServiceTests.protecting)
    let mail = try lab.managed("mail", takingMemory: true)
    let outsider = try Self.app("outsider", in: lab)
    let other = try Self.app("other", in: lab)
    other.say(.sharing(Self.item(seed: 7), with: "outsider"))
    outsider.acknowledge()
    other.say(.sharing(Self.item(seed: 7), with: "mail"))
    mail.acknowledge()
    let canary = Array("canary-4711".utf8)
    let secret = Item(
      type: "public.png",
      payload: .inline(Array(repeatElement(canary, count: 20_000).joined())))
    for _ in 0..<2 {
      #expect(mail.ask(.sharing(secret, with: "outsider"))?.end == .refused)
    }
    let request = mail.say(.share(Share(destination: "outsider", item: secret, via: .os)))
    outsider.acknowledge()
    #expect(mail.outcome(of: request)?.end == .deliveredEncrypted)
    #expect(mail.memory.outbox != nil)
    let inbox = try #require(outsider.memory.inbox)
    let kept = Data(bytesNoCopy: inbox.bytes.baseAddress!, count: 4 << 20, deallocator: .none)
    #expect(kept.range(of: Data(canary)) == nil)
  }

  // MARK: False claims

  @Test(arguments: [
    SharedBytes(offset: 1, count: least), SharedBytes(offset: 64, count: least),
    SharedBytes(offset: 32 << 20, count: least),
    SharedBytes(offset: (32 << 20) - 4096, count: least),
    SharedBytes(offset: Int.max & ~4095, count: least),
    SharedBytes(offset: 0, count: 0), SharedBytes(offset: 0, count: least - 1),
    SharedBytes(offset: 0, count: 16 << 20), SharedBytes(offset: 0, count: .max),
    SharedBytes(offset: Int.max & ~4095, count: .max),
  ])
  func `a payload with an invalid offset or length violates the protocol`(claim: SharedBytes)
    throws
  {
    for body in [
      GuestMessage.Body.sharing(Self.item(), with: "receiver"),
      .share(Share(destination: "receiver", item: Self.item(), claimedSource: "x")),
      .copy(Self.item()), .completeExtension([Self.item()]),
      .use(Use(channel: "print", item: Self.item())), .canReceive(Self.item()),
      .airDrop(AirDrop(Self.item(), to: "ben-phone")),
      .callExtension(ExtensionCall("vpn", with: Self.item())),
      .shareItems(ShareItems(destination: "receiver", items: [OfferedItem(Self.item())])),
    ] {
      let lab = try QuietLab()
      let (sender, receiver) = try Self.pair(in: lab)
      sender.memory.claim = { _ in claim }
      sender.say(body)
      #expect(lab.violation(of: sender) != nil)
      #expect(receiver.deliveries.count == 1 && receiver.guest.isReady)
    }
  }

  @Test func `a payload in shared memory that the host has not lent violates the protocol`() throws
  {
    let lab = try QuietLab()
    let sender = try Self.app("sender", in: lab)
    sender.memory.claim = { SharedBytes(offset: 0, count: $0.count) }
    sender.say(.copy(Self.item()))
    #expect(lab.violation(of: sender) != nil)
  }

  @Test func `a message with overlapping or oversized shared payloads is a protocol violation`()
    throws
  {
    for claims in [[0, 4096], [0, 0], [0, 8 << 20, 16 << 20]] {
      let lab = try QuietLab()
      let (sender, _) = try Self.pair(in: lab)
      var rest = claims
      let count = claims.count == 3 ? 6 << 20 : Self.least
      sender.memory.claim = { _ in SharedBytes(offset: rest.removeFirst(), count: count) }
      sender.say(.completeExtension(claims.map { _ in Self.item() }))
      #expect(lab.violation(of: sender) != nil)
    }
  }

  @Test
  func `a guest that reuses payload memory before the host releases it violates the protocol`()
    throws
  {
    let (lab, sender, _) = try Self.pair()
    sender.memory.claim = { SharedBytes(offset: 0, count: $0.count) }
    sender.say(.copy(Self.item()))
    #expect(sender.guest.isReady, "the payload was released immediately")
    sender.say(.copy(Self.item()))
    #expect(sender.guest.isReady)
    sender.isDeaf = true
    sender.say(.copy(Self.item()))
    #expect(sender.guest.isReady)
    sender.say(.copy(Self.item()))
    sender.say(.copy(Self.item()))
    #expect(lab.violation(of: sender) != nil)
  }

  @Test(arguments: [4096, 1, 1 << 20, Int.max])
  func `a guest that releases memory it does not have is terminated`(offset: Int) throws {
    let (lab, sender, receiver) = try Self.pair()
    sender.say(.sharing(Self.item(), with: "receiver"))
    receiver.say(.release(offset: offset), isRequest: false)
    #expect(lab.violation(of: receiver) != nil)
    #expect(sender.guest.isReady)
  }

  @Test func `a guest that releases shared memory twice or without a delivery is terminated`()
    throws
  {
    let (lab, sender, receiver) = try Self.pair()
    sender.say(.sharing(Self.item(), with: "receiver"))
    let payload = try #require(receiver.memory.unreleased.first)
    receiver.say(.release(offset: payload.offset), isRequest: false)
    #expect(receiver.guest.isReady)
    receiver.say(.release(offset: payload.offset), isRequest: false)
    #expect(lab.violation(of: receiver) != nil)
    sender.say(.release(offset: 0), isRequest: false)
    #expect(lab.violation(of: sender) != nil)
  }

  @Test func `a guest that never releases memory gets later payloads inline`() throws {
    let lab = try QuietLab { $0.limits.sharedMemory = 4 * Self.least }
    let (sender, receiver) = try Self.pair(in: lab)
    let third = try Self.app("third", in: lab)
    for round in 0..<20 {
      let item = Self.item(seed: UInt64(round))
      sender.say(.sharing(item, with: "receiver"))
      receiver.say(
        .acknowledge(through: receiver.deliveries.last?.sequence ?? 0), isRequest: false)
      #expect(receiver.deliveries.last?.item.payload == item.payload)
      sender.say(.sharing(item, with: "third"))
      #expect(third.deliveries.last?.item.payload == item.payload)
      third.acknowledge()
    }
    #expect(receiver.memory.unreleased.count == 4)
    #expect(receiver.guest.isReady && sender.guest.isReady && third.guest.isReady)
  }

  @Test func `senders to a guest that acknowledges nothing are paused`() throws {
    let lab = try QuietLab { $0.limits.sharedMemory = 4 * Self.least }
    let (sender, receiver) = try Self.pair(in: lab)
    for _ in 0..<10 {
      sender.say(.share(Share(destination: "receiver", item: Self.item(), isPosted: true)))
    }
    #expect(receiver.deliveries.count == 4, "one before, and more than half of the inbox")
    for _ in 0..<10 {
      receiver.acknowledge()
      sender.readRest()
    }
    #expect(receiver.deliveries.count == 11)
  }

  @Test func `the device lends no more memory than its limit`() throws {
    let lab = try QuietLab {
      $0.limits.sharedMemory = 4 * Self.least
      $0.limits.sharedMemoryInAll = 8 * Self.least
    }
    let (sender, receiver) = try Self.pair(in: lab)
    let third = try Self.app("third", in: lab)
    sender.say(.sharing(Self.item(seed: 8), with: "third"))
    #expect(third.memory.inbox == nil)
    #expect(third.deliveries.last?.item.payload == Self.item(seed: 8).payload)
    lab.device.guests.stop(["receiver"]) {}
    receiver.settle()
    third.acknowledge()
    sender.say(.sharing(Self.item(seed: 9), with: "third"))
    #expect(third.memory.inbox != nil, "released memory is available to another payload")
  }

  // MARK: Altered payloads

  @Test func `a delivered payload is independent of the sender's later writes`() throws {
    let lab = try QuietLab()
    let (sender, receiver) = try Self.pair(in: lab)
    let photo = Self.item(seed: 10)
    sender.say(.sharing(photo, with: "receiver"))
    let payload = try #require(receiver.memory.unreleased.last)
    let outbox = try #require(sender.memory.outbox)
    outbox.bytes.initializeMemory(as: UInt8.self, repeating: 0xAA)
    let inbox = try #require(receiver.memory.inbox)
    #expect(Array(inbox.bytes[payload.offset..<(payload.offset + payload.count)]) == photo.bytes)
  }

  /// The receiver gets exactly the bytes under the item's tag. When it forwards them, the device
  /// recognises them.
  @Test
  func `if the sender changes a payload during the copy, the copy matches its seal or is rejected`()
    throws
  {
    let (lab, sender, receiver) = try Self.pair()
    let third = try Self.app("third", in: lab)
    let outbox = try #require(sender.memory.outbox)
    let writer = Scribbler(outbox.bytes.baseAddress!, outbox.bytes.count / 8)
    sender.memory.claim = { _ in SharedBytes(offset: 0, count: 1 << 19) }
    for _ in 0..<60 {
      sender.say(.sharing(Self.item(1 << 19), with: "receiver"))
      let delivery = try #require(receiver.deliveries.last)
      receiver.acknowledge()
      let request = receiver.say(.share(Share(destination: "third", item: delivery.item)))
      #expect(third.deliveries.last?.item.payload == delivery.item.payload)
      third.acknowledge()
      #expect(receiver.outcome(of: request)?.end == .delivered)
    }
    // The result is the same with a tag that is verified before the copy: rejected, or as sealed.
    let sealed = try #require(receiver.deliveries.last?.item)
    for _ in 0..<30 {
      let request = sender.say(.sharing(sealed, with: "receiver"))
      if sender.outcome(of: request) == nil {
        #expect(receiver.deliveries.last?.item.payload == sealed.payload)
      } else {
        #expect(sender.outcome(of: request)?.end == .refused)
      }
      receiver.acknowledge()
    }
    writer.stop()
  }
}

/// A thread that writes to memory until it is stopped.
private final class Scribbler {
  private final class State: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
    let count: Int
    let isStopped = Atomic(false)
    let hasStopped = DispatchSemaphore(value: 0)

    init(_ start: UnsafeMutableRawPointer, _ count: Int) {
      self.start = start
      self.count = count
    }
  }

  private let state: State

  init(_ start: UnsafeMutableRawPointer, _ count: Int) {
    state = State(start, count)
    let thread = Thread { [state] in
      var value: UInt8 = 0
      while !state.isStopped.load(ordering: .relaxed) {
        value &+= 1
        for offset in stride(from: 0, to: state.count, by: 4096) {
          state.start.storeBytes(of: value, toByteOffset: offset, as: UInt8.self)
        }
      }
      state.hasStopped.signal()
    }
    thread.start()
  }

  func stop() {
    state.isStopped.store(true, ordering: .relaxed)
    state.hasStopped.wait()
  }
}

/// Tests the seals of payloads around the length from which a hash is sealed.
@Suite struct LargeSealTests {
  private static let least = SharedPayloadTests.least

  @Test func `near the hash threshold, a payload's seal rejects changed bytes and other lengths`()
    throws
  {
    let signer = TagSigner(device: "lab", key: Array(repeating: 7, count: 32))
    let prefix = signer.prefix(owner: QuietLab.anna, isManaged: true, originApp: "com.example.a")
    let type = Array("public.png".utf8)
    func tag(_ payload: [UInt8]) -> OwnershipTag {
      type.withUnsafeBytes { type in
        payload.withUnsafeBytes { payload in
          signer.seal(prefix, number: 7, type: type, payload: payload)
          return OwnershipTag(
            ownerUPN: QuietLab.anna.upn, ownerObjectID: QuietLab.anna.objectID ?? "",
            ownerTenantID: QuietLab.anna.tenantID ?? "", isManaged: true,
            originApp: "com.example.a", device: "lab", sequence: 7,
            seal: Array(signer.seal))
        }
      }
    }
    func isGenuine(_ tag: OwnershipTag, _ payload: [UInt8]) -> Bool {
      type.withUnsafeBytes { type in
        payload.withUnsafeBytes { signer.isGenuine(tag, type: type, payload: $0) }
      }
    }
    let lengths = (-18...18).map { Self.least + $0 }
    for length in lengths {
      let payload = SharedPayloadTests.item(length).bytes
      let own = tag(payload)
      #expect(isGenuine(own, payload))
      for place in [0, 15, 16, length / 2, length - 17, length - 1] {
        var altered = payload
        altered[place] ^= 0x80
        #expect(!isGenuine(own, altered))
      }
      var swapped = payload
      swapped.swapAt(0, 61)
      #expect(swapped == payload || !isGenuine(own, swapped))
      #expect(!isGenuine(own, payload + [0]) && !isGenuine(own, Array(payload.dropLast())))
      for other in lengths where other != length {
        #expect(!isGenuine(own, SharedPayloadTests.item(other).bytes))
      }
    }
  }

  @Test(arguments: [1, least - 1, least, least + 1, 3 * least - 5, 1 << 20])
  func `sealing during a copy gives the same seal as sealing alone`(count: Int) throws {
    let key = [UInt8](repeating: 9, count: 32)
    let (copying, plain) = (TagSigner(device: "lab", key: key), TagSigner(device: "lab", key: key))
    let prefix = plain.prefix(owner: nil, isManaged: false, originApp: "a")
    let payload = SharedPayloadTests.item(count).bytes
    var copy = [UInt8](repeating: 0, count: count)
    payload.withUnsafeBytes { payload in
      let type = UnsafeRawBufferPointer(start: nil, count: 0)
      plain.seal(prefix, number: 1, type: type, payload: payload)
      copy.withUnsafeMutableBytes {
        copying.seal(prefix, number: 1, type: type, copying: payload, to: $0)
      }
    }
    #expect(copy == payload)
    #expect(Array(copying.seal) == Array(plain.seal))
  }
}
