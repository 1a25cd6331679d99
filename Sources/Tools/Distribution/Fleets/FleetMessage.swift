internal import CMessages
internal import CProtobufC
internal import Host
internal import Model
package import Simulation
internal import Wire

/// A message between a host and its coordinator or another host.
package enum FleetMessage {
  /// A host's first message, with its link's address and its version.
  case greeting(address: String, version: String)
  case placement(Placement)
  /// An order from the coordinator: once the host has received the number of messages in `expected` from each peer, its
  /// devices may advance to the time `until`. Messages are counted from the start of the case.
  case window(until: Int, expected: [Int: Int])
  case pause(Pause)
  case inFlight(InFlightMessage)
  /// An order from the coordinator: the host must end the case.
  case closing(Closing)
  /// A report from a host that it is still executing an order.
  case working

  /// The treatment of a host's devices when the host closes.
  package enum Closing {
    /// The devices are shut down.
    case down
    /// Another host has lost its connection to the host. The devices restart on the remaining hosts.
    case lost
  }

  /// The assignment of devices to hosts. The coordinator sends it to all hosts at the start and after each loss of a
  /// host.
  package struct Placement: Equatable {
    var hosts: [Host]
    /// The machine's time at the start of the case, in seconds since 1970-01-01T00:00:00Z.
    var machineTime: Int
    /// The time to which devices must advance after they have restarted on another host.
    var until: Int

    struct Host: Equatable {
      /// The host's number, from 1.
      var number: Int
      /// The address of the host's link, such as `10.0.0.7:40123`.
      var address: String
      /// The scenario indices of the host's devices, from 0.
      var devices: [Int]
    }
  }

  /// A host's answer to an order, after its devices have advanced as far as they can.
  package struct Pause: Equatable {
    /// The earliest time at which a device resumes; nil if all devices have completed their steps.
    var next: Int?
    /// The earliest arrival time among the messages that the host has sent since its last `pause` report; nil if there
    /// are none.
    var earliestArrival: Int?
    /// The number of messages sent to each host since the start of the case.
    var sent: [Int: Int]
    /// The numbers of the peers to or from which the host has lost a connection, in ascending order.
    var lost: [Int] = []
    /// Problems, as one sentence each.
    var problems: [String] = []
    /// Whether the case has ended on this host and its devices are shut down.
    var isClosed = false
  }
}

// MARK: - Encoding

extension FleetMessage {
  /// Encodes the message as defined in `proto/fleet.proto`.
  ///
  /// - Parameters:
  ///   - arena: The memory used for encoding. It is reset afterwards.
  ///   - head: Returns the bytes to put before the message. `size` is the message's size in bytes.
  func encoded(in arena: Arena, after head: (_ size: Int) -> [UInt8] = { _ in [] }) -> [UInt8] {
    defer { arena.reset() }
    let raw = arena.message(sluice__fleet_message__init)
    var form = MessageForm(raw, in: arena)
    do throws(WireError) {
      _ = try declared(in: &form)
    } catch {
      preconditionFailure("encoding a fleet message must not fail: \(error)")
    }
    // The payload is copied only once, into the frame.
    return payload.withUnsafeBufferPointer { payload in
      if raw.pointee.body_case == SLUICE__FLEET_MESSAGE__BODY_PASSAGE {
        raw.pointee.passage.pointee.payload = ProtobufCBinaryData(
          len: payload.count, data: UnsafeMutablePointer(mutating: payload.baseAddress))
      }
      let size = sluice__fleet_message__get_packed_size(raw)
      let head = head(size)
      return [UInt8](unsafeUninitializedCapacity: head.count + size) { bytes, count in
        _ = bytes.update(fromContentsOf: head)
        count =
          head.count + sluice__fleet_message__pack(raw, bytes.baseAddress.map { $0 + head.count })
      }
    }
  }

  private var payload: [UInt8] {
    guard case .inFlight(let inFlight) = self else { return [] }
    return inFlight.message.payload
  }

  /// Decodes a message.
  ///
  /// - Throws: ``WireError`` if the bytes are malformed, an arrival time is out of range, or this version does not know
  ///   the message, its transport or its storage location.
  init(_ bytes: UnsafeRawBufferPointer, arena: Arena) throws(WireError) {
    let data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let allocator = arena.allocator(forFrameOf: bytes.count)
    guard let raw = sluice__fleet_message__unpack(allocator, bytes.count, data) else {
      throw .malformedMessage(length: bytes.count)
    }
    defer { arena.reset() }
    var form = MessageForm(raw, in: nil)
    guard let blank = Self.blank(form.chosenNumber) else { throw .emptyMessage }
    self = try blank.declared(in: &form)
    if case .inFlight(var inFlight) = self {
      guard Timestamp.range.contains(inFlight.time) else { throw .emptyMessage }
      inFlight.message.payload = byteArray(raw.pointee.passage.pointee.payload)
      self = .inFlight(inFlight)
    }
  }

  /// Returns an empty message of the kind that has this field number; nil if this version does not know the number.
  private static func blank(_ number: UInt32) -> FleetMessage? {
    switch number {
    case 1: .greeting(address: "", version: "")
    case 2: .placement(Placement(hosts: [], machineTime: 0, until: 0))
    case 3: .window(until: 0, expected: [:])
    case 4: .pause(Pause(sent: [:]))
    case 5:
      .inFlight(
        InFlightMessage(
          message: DeviceMessage(
            transport: .airDrop, device: "", request: 0, type: "", name: nil, payload: [],
            isEncrypted: false),
          place: .device(""), time: 0, sender: 0))
    case 6: .closing(.down)
    case 7: .working
    default: nil  // open: a field number; none, or one of a newer version
    }
  }

  /// Encodes the message's fields into `form`, or decodes them from it. Returns the message with the decoded values.
  private func declared(in form: inout MessageForm) throws(WireError) -> FleetMessage {
    switch self {
    case .greeting(var address, var version):
      try form.enter(1)
      form.field(1, &address)
      form.field(2, &version)
      return .greeting(address: address, version: version)
    case .placement(var placement):
      try form.enter(2)
      try placement.declare(in: &form)
      return .placement(placement)
    case .window(var until, var expected):
      try form.enter(3)
      form.field(1, &until)
      try form.tallies(2, &expected)
      return .window(until: until, expected: expected)
    case .pause(var pause):
      try form.enter(4)
      try pause.declare(in: &form)
      return .pause(pause)
    case .inFlight(var inFlight):
      try form.enter(5)
      try inFlight.declare(in: &form)
      return .inFlight(inFlight)
    case .closing(let closing):
      var isLost = closing == .lost
      try form.enter(6)
      form.field(1, &isLost)
      return .closing(isLost ? .lost : .down)
    case .working:
      try form.enter(7)
      return .working
    }
  }
}

extension MessageForm {
  /// Encodes or decodes a field with the number of messages for each host.
  fileprivate mutating func tallies(
    _ number: UInt32, _ counts: inout [Int: Int]
  ) throws(WireError) {
    var tallies = counts.sorted { $0.key < $1.key }.map { (host: $0.key, count: $0.value) }
    try parts(number, &tallies, blank: (host: 0, count: 0)) { (tally, form) throws(WireError) in
      form.field(1, &tally.host)
      form.field(2, &tally.count)
    }
    counts = Dictionary(tallies.map { ($0.host, $0.count) }) { $1 }
  }
}

extension FleetMessage.Placement {
  fileprivate mutating func declare(in form: inout MessageForm) throws(WireError) {
    let blank = Host(number: 0, address: "", devices: [])
    try form.parts(1, &hosts, blank: blank) { (host, form) throws(WireError) in
      form.field(1, &host.number)
      form.field(2, &host.address)
      form.field(3, &host.devices)
    }
    form.field(2, &machineTime)
    form.field(3, &until)
  }
}

extension FleetMessage.Pause {
  fileprivate mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(2, &next, isSetIf: 1)
    form.field(3, &earliestArrival, isSetIf: 8)
    try form.tallies(4, &sent)
    form.field(5, &problems)
    form.field(6, &isClosed)
    form.field(7, &lost)
  }
}

extension InFlightMessage {
  /// Encodes or decodes all fields except the payload, which is field 6.
  ///
  /// - Throws: ``WireError/emptyMessage`` if this version does not know the transport or storage location.
  fileprivate mutating func declare(in form: inout MessageForm) throws(WireError) {
    try form.field(1, &message.transport)
    form.field(2, &message.device)
    form.field(3, &message.request)
    form.field(4, &message.type)
    form.field(5, &message.name)
    form.field(7, &message.isEncrypted)
    form.field(8, &time)
    form.field(9, &sender)
    try place.declare(in: &form)
  }
}

extension InFlightMessage.Destination {
  fileprivate mutating func declare(in form: inout MessageForm) throws(WireError) {
    var (device, location) = ("", "")
    var owner = Account(upn: "", objectID: nil, tenantID: nil)
    switch self {
    case .device(let name): device = name
    case .storage(let place, let account): (location, owner) = (place.rawValue, account)
    }
    var (upn, objectID, tenantID) = (owner.upn, owner.objectID, owner.tenantID)
    form.field(10, &device)
    form.field(11, &location)
    form.field(12, &upn)
    form.field(13, &objectID)
    form.field(14, &tenantID)
    guard device.isEmpty else {
      self = .device(device)
      return
    }
    guard let location = StorageLocation(rawValue: location) else { throw .emptyMessage }
    self = .storage(location, owner: Account(upn: upn, objectID: objectID, tenantID: tenantID))
  }
}
