@testable import Distribution
import Host
import Model
import Simulation
import Testing
import TestSupport
import Wire

/// Messages between the processes of a fleet.
@Suite struct FleetMessageTests {
  private static let parcel = Parcel(
    carrier: .airDrop, device: "phone-7", request: 4711, type: "public.jpeg", name: "plan.jpg",
    payload: [0, 1, 255], isEncrypted: true)

  private static let messages: [FleetMessage] = [
    .greeting(address: "10.0.0.7:40123", version: "sluice 0.1.0"),
    .placement(
      .init(
        hosts: [
          .init(number: 1, address: "10.0.0.7:1", devices: [0, 2]),
          .init(number: 2, address: "10.0.0.8:2", devices: []),
        ], machineTime: 1_767_225_600, until: .min)),
    .window(until: 1_767_225_601, expected: [1: 0, 2: 17]),
    .pause(.init(next: nil, earliestArrival: nil, sent: [:])),
    .pause(
      .init(
        next: 0, earliestArrival: 1_767_225_602, sent: [1: 3], lost: [4], problems: ["a", ""],
        isClosed: true)),
    .passage(Passage(parcel: parcel, place: .device("desk"), time: 1_767_225_603, sender: 6)),
    .passage(
      Passage(
        parcel: Parcel(
          carrier: .storage, device: "phone-7", request: 1, type: "public.data", name: nil,
          payload: [], isEncrypted: false),
        place: .storage(
          .oneDriveForBusiness,
          owner: Account(upn: "anna@contoso.com", objectID: nil, tenantID: "contoso.com")),
        time: 1, sender: 0)),
    .closing(.down), .closing(.lost), .working,
  ]

  @Test func `a message is read as it was written`() throws {
    let arena = Arena()
    for message in Self.messages {
      let bytes = message.encoded(in: arena)
      let read = try bytes.withUnsafeBytes { try FleetMessage($0, arena: arena) }
      #expect(read.encoded(in: arena) == bytes)
      // Dictionaries are printed in any order.
      guard case .window = message else {
        #expect("\(read)" == "\(message)")
        continue
      }
    }
  }

  @Test func `what is no message is refused, or is another one`() throws {
    let arena = Arena()
    var random = SeededGenerator(seed: 1)
    let whole = Self.messages.map { $0.encoded(in: arena) }
    for _ in 0..<20_000 {
      var bytes = whole.randomElement(using: &random) ?? []
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
      case 1 where !bytes.isEmpty:
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      default:  // open: any other number
        bytes = (0..<Int.random(in: 0..<64, using: &random)).map { _ in
          .random(in: 0...255, using: &random)
        }
      }
      _ = try? bytes.withUnsafeBytes { try FleetMessage($0, arena: arena) }
    }
  }
}
