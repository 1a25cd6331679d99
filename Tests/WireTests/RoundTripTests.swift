import Model
import Testing
import Wire

@Suite struct RoundTripTests {
  @Test(arguments: Samples.guestBodies, [0, 1, .max] as [UInt64])
  func `guest messages round-trip through frames`(body: GuestMessage.Body, request: UInt64) throws {
    let message = GuestMessage(request: request, body)
    #expect(try decodeGuest(content(frame(message))) == message)
  }

  @Test(arguments: Samples.hostBodies, [0, 1, .max] as [UInt64])
  func `host messages round-trip through frames`(body: HostMessage.Body, request: UInt64) throws {
    let message = HostMessage(request: request, body)
    #expect(try decodeHost(content(frame(message))) == message)
  }

  @Test(arguments: [
    TaskContext(thread: ""), TaskContext(thread: "anna@contoso.com"),
    TaskContext(thread: "é", window: "inbox"), TaskContext(window: "inbox"),
  ])
  func `a request's task identity round-trips through its frame`(task: TaskContext) throws {
    let item = Item(text: "x")
    for body in [.paste, .share(Share(destination: "a", item: item))] as [GuestMessage.Body] {
      let message = GuestMessage(request: 1, body, task: task)
      #expect(try decodeGuest(content(frame(message))) == message)
    }
  }

  @Test(arguments: Outcome.allCases, RequestEnd.allCases)
  func `outcomes with every verdict and request end round-trip through a frame`(
    verdict: Outcome, end: RequestEnd
  ) throws {
    for status in [0, 1, -1, 227, -25300, Int(Int32.max), Int(Int32.min)] {
      let message = HostMessage(
        .outcome(RequestOutcome(verdict: verdict, end: end, status: status)))
      #expect(try decodeHost(content(frame(message))) == message)
    }
  }

  @Test func `an out-of-range request status is clamped to 32 bits`() throws {
    let far = RequestOutcome(verdict: .allowed, end: .failed, status: .min)
    let near = RequestOutcome(verdict: .allowed, end: .failed, status: Int(Int32.min))
    #expect(try decodeHost(content(frame(HostMessage(.outcome(far))))).body == .outcome(near))
  }

  // proto3 does not distinguish an empty string from an absent one.
  @Test func `an empty item name or failure text decodes as nil`() throws {
    let item = Item(type: "t", name: "", payload: .inline([]))
    #expect(
      try decodeGuest(content(frame(GuestMessage(.copy(item))))).body
        == .copy(Item(type: "t", payload: .inline([]))))
    #expect(
      try decodeGuest(content(frame(GuestMessage(.performed(ask: 1, failure: ""))))).body
        == .performed(ask: 1, failure: nil))
  }

  @Test func `an item of a million bytes round-trips through a frame`() throws {
    let payload = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    let item = Item(type: "public.data", payload: .inline(payload), tag: Samples.tag)
    let message = GuestMessage(request: 1, .share(Share(destination: "x", item: item)))
    #expect(try decodeGuest(content(frame(message))) == message)
  }

  @Test func `an arena can be reused to decode several messages`() throws {
    let arena = Arena(capacity: 64)
    for _ in 0..<3 {
      for body in Samples.guestBodies {
        let message = GuestMessage(request: 1, body)
        #expect(try decodeGuest(content(frame(message)), arena: arena) == message)
      }
    }
  }
}
