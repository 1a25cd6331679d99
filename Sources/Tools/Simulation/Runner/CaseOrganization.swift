internal import Enrollment
internal import EventLoop
package import Host
package import Model
internal import Scenario

/// The organisation of a case's devices: messages in transit between them, and the cloud storage that they share.
final class CaseOrganization {
  /// All devices of the organisation, including those in other processes.
  let roster: DeviceRoster
  /// The transit time between devices, in seconds.
  private let latency: Int
  /// The devices in this process, by name.
  private var members: [String: CaseDevice] = [:]
  private var links: [String: CaseLink] = [:]
  /// The load of the enrollment service, shared by all devices.
  private let load = ServiceLoad()
  private var cloud = CloudStorage()
  /// The messages in transit to each local device, in order of arrival.
  private var coming: [String: [InFlightMessage]] = [:]
  /// The earliest time, on the shared clock, at which messages are sent. If a device with an earlier time sends a
  /// message, the message counts as sent at this time.
  var floor = Int.min
  /// Called with each message for cloud storage or for a device in another process; nil if all devices are in this
  /// process.
  var forward: ((InFlightMessage) -> Void)?

  init(_ roster: DeviceRoster, latency: Int) {
    self.roster = roster
    self.latency = latency
  }

  func add(_ member: CaseDevice) {
    members[member.name] = member
    links[member.name] = CaseLink(of: member, in: self)
    connect(member)
  }

  /// Connects the member's device, after its start or a restart.
  func connect(_ member: CaseDevice) {
    member.device.continuity.link = links[member.name]
    member.device.enrollment.load = load
  }

  /// Returns the document that a device finds in cloud storage: the latest document at the location under the account
  /// that had arrived by the device's time. Nil if there is none.
  func document(
    at location: StorageLocation, of owner: Account, for member: CaseDevice
  ) -> DeviceMessage? {
    cloud.document(at: location, of: owner, time: member.time)
  }

  // MARK: Transit

  fileprivate func send(
    _ message: DeviceMessage, to destination: DeviceMessage.Destination, from sender: CaseDevice
  ) {
    for place in places(of: destination, besides: sender.name) {
      let inFlight = InFlightMessage(
        message: message, place: place, time: max(sender.time, floor) + latency,
        sender: sender.ordinal)
      switch place {
      case .device(let name) where members[name] == nil: forward?(inFlight)
      case .device: accept(inFlight)
      case .storage:
        accept(inFlight)
        forward?(inFlight)
      }
    }
  }

  private func places(
    of destination: DeviceMessage.Destination, besides sender: String
  ) -> [InFlightMessage.Destination] {
    switch destination {
    case .device(let name): roster.has(name, besides: sender) ? [.device(name)] : []
    case .appleAccount(let account):
      roster.devices(of: account, besides: sender).map { .device($0) }
    case .storage(let location, let owner): [.storage(location, owner: owner)]
    }
  }

  func accept(_ inFlight: InFlightMessage) {
    switch inFlight.place {
    case .storage(let location, let owner): cloud.save(inFlight, at: location, of: owner)
    case .device(let name):
      guard latency > 0 else { return members[name]?.receive(inFlight.message) ?? () }
      // The device may still await its takeover from a lost host.
      coming[name, default: []].insertInOrder(inFlight)
    }
  }

  /// Returns the time of the next arrival or scheduled event on a local device; nil if there is none.
  func nextEvent(of member: CaseDevice) -> Int? {
    [coming[member.name]?.first?.time, member.nextDue].compactMap(\.self).min()
  }

  /// Delivers to the device all messages with an arrival time up to the device's time.
  func deliver(to member: CaseDevice) {
    while let next = coming[member.name]?.first, next.time <= member.time {
      coming[member.name]?.removeFirst()
      member.receive(next.message)
    }
  }

  /// Discards documents that were replaced by newer documents before or at `time`. All devices must have reached
  /// `time`.
  func forget(before time: Int) { cloud.forget(before: time) }
}

// MARK: - Devices

struct DeviceRoster {
  private let names: Set<String>
  private let byAppleAccount: [String: [String]]
  let isAnyManaged: Bool

  /// Creates the roster of an organisation.
  ///
  /// - Parameter devices: All devices of the organisation. Each has a copy of the scenario with the device's own
  ///   values.
  init(_ devices: [Scenario]) {
    isAnyManaged = devices.contains(where: \.device.isMDMEnrolled)
    names = Set(devices.map(\.device.name))
    byAppleAccount = Dictionary(grouping: devices) {
      $0.device.appleAccount?.lowercased() ?? ""
    }.mapValues { $0.map(\.device.name) }
  }

  func has(_ name: String, besides device: String) -> Bool {
    name != device && names.contains(name)
  }

  /// Returns the other devices that are signed in to an Apple Account. Case is ignored.
  func devices(of appleAccount: String, besides device: String) -> [String] {
    (byAppleAccount[appleAccount.lowercased()] ?? []).filter { $0 != device }
  }
}

// MARK: - Links

/// The connection from one device of a case to the other devices.
private final class CaseLink: DeviceLink {
  private unowned let member: CaseDevice
  private unowned let organization: CaseOrganization

  init(of member: CaseDevice, in organization: CaseOrganization) {
    self.member = member
    self.organization = organization
  }

  func reaches(_ device: String) -> Bool {
    organization.roster.has(device, besides: member.name)
  }

  func reaches(appleAccount: String) -> Bool {
    !organization.roster.devices(of: appleAccount, besides: member.name).isEmpty
  }

  func send(_ message: DeviceMessage, to destination: DeviceMessage.Destination) {
    organization.send(message, to: destination, from: member)
  }

  func document(at location: StorageLocation, of owner: Account) -> DeviceMessage? {
    organization.document(at: location, of: owner, for: member)
  }
}

extension CaseDevice {
  /// Receives a message from another device. If the device is down, the message is lost.
  fileprivate func receive(_ message: DeviceMessage) {
    guard !isClosed, device.error == nil else { return }
    device.continuity.receive(message)
    device.loop.touch()
  }
}

// MARK: - Messages in flight

/// A message in transit to a device or to cloud storage.
package struct InFlightMessage: Sendable {
  package var message: DeviceMessage
  package var place: Destination
  /// The time of arrival, on the shared clock.
  package var time: Int
  /// The sending device's index in the organisation, from 0.
  package var sender: Int

  package init(message: DeviceMessage, place: Destination, time: Int, sender: Int) {
    self.message = message
    self.place = place
    self.time = time
    self.sender = sender
  }

  package enum Destination: Sendable {
    case device(String)
    case storage(StorageLocation, owner: Account)
  }

  /// Returns whether this message arrives before another message at the same destination. Simultaneous arrivals are
  /// ordered by sending device, then by request number.
  fileprivate func isBefore(_ other: InFlightMessage) -> Bool {
    (time, sender, message.request) < (other.time, other.sender, other.message.request)
  }
}

extension [InFlightMessage] {
  fileprivate mutating func insertInOrder(_ inFlight: InFlightMessage) {
    let index = lastIndex { !inFlight.isBefore($0) }.map { $0 + 1 } ?? 0
    insert(inFlight, at: index)
  }
}

// MARK: - Cloud storage

/// The cloud storage that the devices of an organisation share.
private struct CloudStorage {
  private var folders: [Folder] = []

  private struct Folder {
    let location: StorageLocation
    let owner: Account
    /// The saved messages, in order of arrival.
    var saved: [InFlightMessage]
  }

  mutating func save(_ inFlight: InFlightMessage, at location: StorageLocation, of owner: Account) {
    if let index = index(of: location, owner) {
      folders[index].saved.insertInOrder(inFlight)
    } else {
      folders.append(Folder(location: location, owner: owner, saved: [inFlight]))
    }
  }

  func document(at location: StorageLocation, of owner: Account, time: Int) -> DeviceMessage? {
    index(of: location, owner).flatMap { index in
      folders[index].saved.last { $0.time <= time }?.message
    }
  }

  private func index(of location: StorageLocation, _ owner: Account) -> Int? {
    folders.firstIndex { $0.location == location && $0.owner.isSameUser(as: owner) }
  }

  mutating func forget(before time: Int) {
    for index in folders.indices {
      let saved = folders[index].saved
      guard let last = saved.lastIndex(where: { $0.time <= time }), last > 0 else { continue }
      folders[index].saved = Array(saved[last...])
    }
  }
}
