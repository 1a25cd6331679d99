import Model
import Testing
import Wire

@Suite struct GuestFrameTests {
  @Test func `a share is decoded in place, without copying`() throws {
    let arena = Arena()
    let share = Share(
      destination: Samples.text, item: Samples.item, via: .os, way: .openIn,
      claimedSource: "claim",
      isPosted: true)
    try content(frame(GuestMessage(request: 300, .share(share)))).withUnsafeBytes { bytes in
      let message = try GuestFrame(bytes, arena: arena)
      #expect(message.request == 300)
      #expect(message.acknowledgedThrough == nil)
      let share = message.share
      let frame = try #require(share)
      #expect(String(decoding: frame.destination, as: UTF8.self) == Samples.text)
      #expect(String(decoding: frame.claimedSource, as: UTF8.self) == "claim")
      #expect(frame.via == .os)
      #expect(frame.way == .openIn)
      #expect(frame.isPosted)
      expect(frame.item, is: Samples.item)
    }
  }

  private func expect(_ frame: ItemFrame, is item: Item) {
    #expect(String(decoding: frame.type, as: UTF8.self) == item.type)
    #expect(String(decoding: frame.name, as: UTF8.self) == item.name ?? "")
    #expect(Payload.inline(Array(frame.payload)) == item.payload)
    #expect(frame.tag == item.tag)
  }

  @Test func `an empty share is decoded in place, without copying`() throws {
    let arena = Arena()
    let share = Share(destination: "", item: Samples.emptyItem)
    try content(frame(GuestMessage(.share(share)))).withUnsafeBytes { bytes in
      let share = try GuestFrame(bytes, arena: arena).share
      let frame = try #require(share)
      #expect(frame.destination.isEmpty)
      #expect(frame.claimedSource.isEmpty)
      #expect(frame.via == .sdk)
      #expect(frame.way == .share)
      #expect(!frame.isPosted)
      expect(frame.item, is: Samples.emptyItem)
    }
  }

  @Test(arguments: Samples.guestBodies)
  func `only shares and acknowledgements have a fast decoder`(body: GuestMessage.Body) throws {
    let arena = Arena()
    try content(frame(GuestMessage(body))).withUnsafeBytes { bytes in
      let frame = try GuestFrame(bytes, arena: arena)
      if case .share = body { #expect(frame.share != nil) } else { #expect(frame.share == nil) }
      if case .acknowledge(let through) = body {
        #expect(frame.acknowledgedThrough == through)
      } else {
        #expect(frame.acknowledgedThrough == nil)
      }
    }
  }

  // A string field need not be UTF-8 for protobuf-c; `ff` is not.
  @Test func `invalid UTF-8 in a frame is rejected`() {
    let log: [UInt8] = [0xA2, 0x01, 0x05, 0x0A, 0x03, 0x61, 0xFF, 0x62]
    #expect(throws: WireError.malformedText(field: "text")) { try decodeGuest(log) }
  }

  // Path 7 is not sent by the SDK. For the verdict and the end 9, unknown values count as not
  // allowed.
  @Test func `unknown sharing paths, verdicts and request ends decode as the strictest value`()
    throws
  {
    #expect(try decodeGuest([0x2A, 0x02, 0x10, 0x07]).body == .import(source: "", via: .os))
    let outcome = RequestOutcome(verdict: .blocked, end: .failed)
    #expect(try decodeHost([0x22, 0x04, 0x08, 0x09, 0x10, 0x09]).body == .outcome(outcome))
  }

  // Field 99 of GuestMessage, and field 15 of Log.
  @Test func `unknown protobuf fields are skipped`() throws {
    let log: [UInt8] = [0xA2, 0x01, 0x05, 0x0A, 0x01, 0x61, 0x78, 0x01]
    #expect(try decodeGuest([0x98, 0x06, 0x01] + log).body == .log("a"))
  }
}
