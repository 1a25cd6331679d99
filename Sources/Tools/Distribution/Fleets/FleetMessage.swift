internal import CMessages
internal import CProtobufC
internal import Host
internal import Model
package import Simulation
internal import Wire

/// A message between a host and its coordinator or another host.
package enum FleetMessage {
  /// From a host: its first message, with its link's address and its version.
  case greeting(address: String, version: String)
  case placement(Placement)
  /// From the coordinator: all devices may advance to a time, after the expected number of messages has
  /// arrived from each host.
  case window(until: Int, expected: [Int: Int])
  case pause(Pause)
  case inFlight(InFlightMessage)
  /// From the coordinator: the case is over for the host.
  case closing(Closing)
  /// From a host: it is still executing an order.
  case working

  /// The treatment of the host's devices when it closes.
  package enum Closing {
    /// The devices are shut down.
    case down
    /// The devices restart on other hosts, because one of them has lost its connection to this host.
    case lost
  }

  /// From the coordinator to all hosts: the placement of devices. Sent at the start and after each loss of a
  /// host.
  package struct Placement: Equatable {
    var hosts: [Host]
    /// The machine's time when the case began, in seconds since 1970-01-01T00:00:00Z.
    var machineTime: Int
    /// The time up to which restarted devices must catch up.
    var until: Int

    struct Host: Equatable {
      /// The host's number, from 1.
      var number: Int
      /// The address of its link, such as `10.0.0.7:40123`.
      var address: String
      /// The scenario indices of its devices, from 0.
      var devices: [Int]
    }
  }

  /// From a host: its devices have advanced as far as they may.
  package struct Pause: Equatable {
    /// The earliest time at which one of them resumes; nil if all have completed their steps.
    var next: Int?
    /// The earliest arrival time of the messages in flight sent since the last pause; nil if none was sent.
    var earliestArrival: Int?
    /// The number of messages sent to each host since the case began.
    var sent: [Int: Int]
    /// The peers whose connection, in either direction, has ended.
    var lost: [Int] = []
    /// The problems, one sentence each.
    var problems: [String] = []
    /// Whether the case is over on this host and its devices are shut down.
    var isClosed = false
  }
}

// MARK: - Encoding

extension FleetMessage {
  /// Encodes the message as defined in `proto/fleet.proto`.
  ///
  /// - Parameters:
  ///   - arena: The memory used for encoding. It is reset afterwards.
  ///   - head: Returns the leading bytes for a message of a given size.
  func encoded(in arena: Arena, after head: (_ size: Int) -> [UInt8] = { _ in [] }) -> [UInt8] {
    defer { arena.reset() }
    // A payload is copied only once, into the frame that is sent.
    return payload.withUnsafeBufferPointer { payload in
      let payload = ProtobufCBinaryData(
        len: payload.count, data: UnsafeMutablePointer(mutating: payload.baseAddress))
      let raw = arena.message(sluice__fleet_message__init) { arena.fill(&$0, self, payload) }
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
  /// - Throws: ``WireError`` if this version does not know the message.
  init(_ bytes: UnsafeRawBufferPointer, arena: Arena) throws(WireError) {
    let data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let allocator = arena.allocator(forFrameOf: bytes.count)
    guard let raw = sluice__fleet_message__unpack(allocator, bytes.count, data) else {
      throw .malformedMessage(length: bytes.count)
    }
    defer { arena.reset() }
    switch raw.pointee.body_case {
    case SLUICE__FLEET_MESSAGE__BODY_GREETING:
      let greeting = raw.pointee.greeting.pointee
      self = .greeting(address: cString(greeting.address), version: cString(greeting.version))
    case SLUICE__FLEET_MESSAGE__BODY_PLACEMENT:
      self = .placement(Placement(raw.pointee.placement.pointee))
    case SLUICE__FLEET_MESSAGE__BODY_WINDOW:
      let window = raw.pointee.window.pointee
      self = .window(
        until: Int(window.until), expected: tallies(window.expected, window.n_expected))
    case SLUICE__FLEET_MESSAGE__BODY_PAUSE: self = .pause(Pause(raw.pointee.pause.pointee))
    case SLUICE__FLEET_MESSAGE__BODY_PASSAGE:
      self = .inFlight(try InFlightMessage(raw.pointee.passage.pointee))
    case SLUICE__FLEET_MESSAGE__BODY_CLOSING:
      self = .closing(raw.pointee.closing.pointee.is_lost == 0 ? .down : .lost)
    case SLUICE__FLEET_MESSAGE__BODY_WORKING: self = .working
    default: throw .emptyMessage  // open: no body, or one of a newer version
    }
  }
}

extension Arena {
  fileprivate func fill(
    _ raw: inout Sluice__FleetMessage, _ message: FleetMessage, _ payload: ProtobufCBinaryData
  ) {
    switch message {
    case .greeting(let address, let version):
      raw.body_case = SLUICE__FLEET_MESSAGE__BODY_GREETING
      raw.greeting = self.message(sluice__greeting__init) {
        $0.address = string(address)
        $0.version = string(version)
      }
    case .placement(let placement):
      raw.body_case = SLUICE__FLEET_MESSAGE__BODY_PLACEMENT
      raw.placement = part(placement)
    case .window(let until, let expected):
      raw.body_case = SLUICE__FLEET_MESSAGE__BODY_WINDOW
      raw.window = self.message(sluice__window__init) {
        $0.until = Int64(until)
        $0.n_expected = expected.count
        $0.expected = tallies(expected)
      }
    case .pause(let pause):
      raw.body_case = SLUICE__FLEET_MESSAGE__BODY_PAUSE
      raw.pause = part(pause)
    case .inFlight(let inFlight):
      raw.body_case = SLUICE__FLEET_MESSAGE__BODY_PASSAGE
      raw.passage = part(inFlight, payload)
    case .closing(let closing):
      raw.body_case = SLUICE__FLEET_MESSAGE__BODY_CLOSING
      raw.closing = self.message(sluice__closing__init) { $0.is_lost = closing == .lost ? 1 : 0 }
    case .working:
      raw.body_case = SLUICE__FLEET_MESSAGE__BODY_WORKING
      raw.working = self.message(sluice__working__init)
    }
  }

  private func part(
    _ placement: FleetMessage.Placement
  ) -> UnsafeMutablePointer<Sluice__Placement> {
    message(sluice__placement__init) {
      $0.machine_time = Int64(placement.machineTime)
      $0.until = Int64(placement.until)
      $0.n_hosts = placement.hosts.count
      $0.hosts = pointers(
        placement.hosts.map { host in
          message(sluice__placement__host__init) {
            $0.number = UInt32(host.number)
            $0.address = string(host.address)
            $0.n_devices = host.devices.count
            $0.devices = numbers(host.devices.map { UInt32($0) })
          }
        })
    }
  }

  private func part(_ pause: FleetMessage.Pause) -> UnsafeMutablePointer<Sluice__Pause> {
    message(sluice__pause__init) {
      $0.has_next = pause.next == nil ? 0 : 1
      $0.next = Int64(pause.next ?? 0)
      $0.has_earliest_arrival = pause.earliestArrival == nil ? 0 : 1
      $0.earliest_arrival = Int64(pause.earliestArrival ?? 0)
      $0.n_sent = pause.sent.count
      $0.sent = tallies(pause.sent)
      $0.n_lost = pause.lost.count
      $0.lost = numbers(pause.lost.map { UInt32($0) })
      $0.n_problems = pause.problems.count
      $0.problems = strings(pause.problems)
      $0.closed = pause.isClosed ? 1 : 0
    }
  }

  private func part(
    _ inFlight: InFlightMessage, _ payload: ProtobufCBinaryData
  ) -> UnsafeMutablePointer<Sluice__Passage> {
    message(sluice__passage__init) {
      $0.carrier = string(inFlight.message.transport.rawValue)
      $0.device = string(inFlight.message.device)
      $0.request = UInt64(inFlight.message.request)
      $0.type = string(inFlight.message.type)
      $0.name = string(inFlight.message.name ?? "")
      $0.payload = payload
      $0.encrypted = inFlight.message.isEncrypted ? 1 : 0
      $0.time = Int64(inFlight.time)
      $0.sender = UInt32(inFlight.sender)
      switch inFlight.place {
      case .device(let name): $0.destination = string(name)
      case .storage(let location, let owner):
        $0.location = string(location.rawValue)
        $0.owner_upn = string(owner.upn)
        $0.owner_object_id = string(owner.objectID ?? "")
        $0.owner_tenant_id = string(owner.tenantID ?? "")
      }
    }
  }

  private func tallies(
    _ counts: [Int: Int]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Sluice__Tally>?> {
    pointers(
      counts.sorted { $0.key < $1.key }.map { host, count in
        message(sluice__tally__init) {
          $0.host = UInt32(host)
          $0.count = UInt64(count)
        }
      })
  }
}

extension FleetMessage.Placement {
  fileprivate init(_ raw: Sluice__Placement) {
    self.init(
      hosts: (0..<raw.n_hosts).compactMap { index in
        raw.hosts[index].map { host in
          Host(
            number: Int(host.pointee.number), address: cString(host.pointee.address),
            devices: (0..<host.pointee.n_devices).map { Int(host.pointee.devices[$0]) })
        }
      },
      machineTime: Int(raw.machine_time), until: Int(raw.until))
  }
}

extension FleetMessage.Pause {
  fileprivate init(_ raw: Sluice__Pause) {
    self.init(
      next: raw.has_next == 0 ? nil : Int(raw.next),
      earliestArrival: raw.has_earliest_arrival == 0 ? nil : Int(raw.earliest_arrival),
      sent: tallies(raw.sent, raw.n_sent),
      lost: (0..<raw.n_lost).map { Int(raw.lost[$0]) },
      problems: (0..<raw.n_problems).map { cString(raw.problems[$0]) }, isClosed: raw.closed != 0)
  }
}

extension InFlightMessage {
  /// Reads a message in flight.
  ///
  /// - Throws: ``WireError/emptyMessage`` if this version does not know the transport or storage location, or
  ///   if no clock can show the time.
  fileprivate init(_ raw: Sluice__Passage) throws(WireError) {
    guard let transport = Transport(rawValue: cString(raw.carrier)),
      Timestamp.range.contains(Int(raw.time))
    else { throw .emptyMessage }
    let name = cString(raw.name)
    let message = DeviceMessage(
      transport: transport, device: cString(raw.device), request: Int(clamping: raw.request),
      type: cString(raw.type), name: name.isEmpty ? nil : name, payload: byteArray(raw.payload),
      isEncrypted: raw.encrypted != 0)
    self.init(
      message: message, place: try Destination(raw), time: Int(raw.time), sender: Int(raw.sender))
  }
}

extension InFlightMessage.Destination {
  fileprivate init(_ raw: Sluice__Passage) throws(WireError) {
    let device = cString(raw.destination)
    guard device.isEmpty else {
      self = .device(device)
      return
    }
    guard let location = StorageLocation(rawValue: cString(raw.location)) else {
      throw .emptyMessage
    }
    let (object, tenant) = (cString(raw.owner_object_id), cString(raw.owner_tenant_id))
    self = .storage(
      location,
      owner: Account(
        upn: cString(raw.owner_upn), objectID: object.isEmpty ? nil : object,
        tenantID: tenant.isEmpty ? nil : tenant))
  }
}

private func tallies(
  _ raw: UnsafeMutablePointer<UnsafeMutablePointer<Sluice__Tally>?>?, _ count: Int
) -> [Int: Int] {
  (0..<count).reduce(into: [:]) { tallies, index in
    if let tally = raw?[index] {
      tallies[Int(tally.pointee.host)] = Int(clamping: tally.pointee.count)
    }
  }
}
