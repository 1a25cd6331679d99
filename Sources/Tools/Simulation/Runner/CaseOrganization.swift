internal import Enrollment
internal import EventLoop
package import Host
package import Model
internal import Scenario

/// The organisation of a case's devices: parcels in transit between them, and the cloud storage that they
/// share.
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
  /// The parcels in transit to each local device, in order of arrival.
  private var coming: [String: [Passage]] = [:]
  /// The earliest time at which a parcel can be sent. Anything sent earlier counts as sent then.
  var floor = Int.min
  /// Called with each parcel for cloud storage or a device in another process; nil if all devices are local.
  var forward: ((Passage) -> Void)?

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

  /// The document at a storage location under an account, as a device sees it; nil if there is none.
  func document(
    at location: StorageLocation, of owner: Account, for member: CaseDevice
  ) -> Parcel? {
    cloud.document(at: location, of: owner, time: member.time)
  }

  // MARK: Transit

  fileprivate func send(
    _ parcel: Parcel, to destination: Parcel.Destination, from sender: CaseDevice
  ) {
    for place in places(of: destination, besides: sender.name) {
      let passage = Passage(
        parcel: parcel, place: place, time: max(sender.time, floor) + latency,
        sender: sender.ordinal)
      switch place {
      case .device(let name) where members[name] == nil: forward?(passage)
      case .device: take(passage)
      case .storage:
        take(passage)
        forward?(passage)
      }
    }
  }

  private func places(
    of destination: Parcel.Destination, besides sender: String
  ) -> [Passage.Place] {
    switch destination {
    case .device(let name): roster.has(name, besides: sender) ? [.device(name)] : []
    case .appleAccount(let account):
      roster.devices(of: account, besides: sender).map { .device($0) }
    case .storage(let location, let owner): [.storage(location, owner: owner)]
    }
  }

  /// Accepts a parcel that arrives at a local device or at cloud storage.
  func take(_ passage: Passage) {
    switch passage.place {
    case .storage(let location, let owner): cloud.save(passage, at: location, of: owner)
    case .device(let name):
      guard latency > 0 else { return members[name]?.receive(passage.parcel) ?? () }
      // The device may not have been taken over yet from a lost host.
      coming[name, default: []].insertInOrder(passage)
    }
  }

  /// The time of the next arrival or scheduled event on a local device; nil if there is none.
  func nextEvent(of member: CaseDevice) -> Int? {
    [coming[member.name]?.first?.time, member.nextDue].compactMap(\.self).min()
  }

  /// Delivers the parcels that have arrived by the device's time.
  func deliver(to member: CaseDevice) {
    while let next = coming[member.name]?.first, next.time <= member.time {
      coming[member.name]?.removeFirst()
      member.receive(next.parcel)
    }
  }

  /// Discards documents that no device can see any more, given that every device has reached `time`.
  func forget(before time: Int) { cloud.forget(before: time) }
}

// MARK: - Devices

/// All devices of an organisation.
struct DeviceRoster {
  private let names: Set<String>
  private let byAppleAccount: [String: [String]]
  /// Whether MDM manages any of them.
  let isAnyManaged: Bool

  /// - Parameter devices: The scenario as each device sees it.
  init(_ devices: [Scenario]) {
    isAnyManaged = devices.contains(where: \.device.isMDMEnrolled)
    names = Set(devices.map(\.device.name))
    byAppleAccount = Dictionary(grouping: devices) {
      $0.device.appleAccount?.lowercased() ?? ""
    }.mapValues { $0.map(\.device.name) }
  }

  /// Whether there is a device called `name` other than `device`.
  func has(_ name: String, besides device: String) -> Bool {
    name != device && names.contains(name)
  }

  /// The other devices that are signed in to an Apple Account. Case is ignored.
  func devices(of appleAccount: String, besides device: String) -> [String] {
    (byAppleAccount[appleAccount.lowercased()] ?? []).filter { $0 != device }
  }
}

// MARK: - Links

/// The connection from one device of a case to the others.
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

  func send(_ parcel: Parcel, to destination: Parcel.Destination) {
    organization.send(parcel, to: destination, from: member)
  }

  func document(at location: StorageLocation, of owner: Account) -> Parcel? {
    organization.document(at: location, of: owner, for: member)
  }
}

extension CaseDevice {
  /// Receives a parcel from another device. If the device is down, the parcel is lost.
  fileprivate func receive(_ parcel: Parcel) {
    guard !isClosed, device.fault == nil else { return }
    device.continuity.receive(parcel)
    device.loop.touch()
  }
}

// MARK: - Parcels on their way

/// A parcel in transit to a device or to cloud storage.
package struct Passage: Sendable {
  package let parcel: Parcel
  package let place: Place
  /// The time of arrival, on the shared clock.
  package let time: Int
  /// The sending device's index in the organisation, from 0.
  package let sender: Int

  package init(parcel: Parcel, place: Place, time: Int, sender: Int) {
    self.parcel = parcel
    self.place = place
    self.time = time
    self.sender = sender
  }

  /// The destination of a parcel.
  package enum Place: Sendable {
    case device(String)
    /// A storage location, under the account that owns the document.
    case storage(StorageLocation, owner: Account)
  }

  /// Whether this arrives before another passage at the same destination. Simultaneous arrivals are ordered
  /// by sending device, then by request number.
  fileprivate func isBefore(_ other: Passage) -> Bool {
    (time, sender, parcel.request) < (other.time, other.sender, other.parcel.request)
  }
}

extension [Passage] {
  /// Inserts a passage after all that arrive no later.
  fileprivate mutating func insertInOrder(_ passage: Passage) {
    let index = lastIndex { !passage.isBefore($0) }.map { $0 + 1 } ?? 0
    insert(passage, at: index)
  }
}

// MARK: - Cloud storage

/// The cloud storage that the devices of an organisation share.
private struct CloudStorage {
  private var folders: [Folder] = []

  /// A storage location, under one account.
  private struct Folder {
    let location: StorageLocation
    let owner: Account
    /// The saved parcels, in order of arrival.
    var saved: [Passage]
  }

  mutating func save(_ passage: Passage, at location: StorageLocation, of owner: Account) {
    if let index = index(of: location, owner) {
      folders[index].saved.insertInOrder(passage)
    } else {
      folders.append(Folder(location: location, owner: owner, saved: [passage]))
    }
  }

  /// The document at a storage location at `time`; nil if there is none.
  func document(at location: StorageLocation, of owner: Account, time: Int) -> Parcel? {
    index(of: location, owner).flatMap { index in
      folders[index].saved.last { $0.time <= time }?.parcel
    }
  }

  private func index(of location: StorageLocation, _ owner: Account) -> Int? {
    folders.firstIndex { $0.location == location && $0.owner.isSame(as: owner) }
  }

  /// Discards documents that no device can see any more, given that every device has reached `time`.
  mutating func forget(before time: Int) {
    for index in folders.indices {
      let saved = folders[index].saved
      guard let last = saved.lastIndex(where: { $0.time <= time }), last > 0 else { continue }
      folders[index].saved = Array(saved[last...])
    }
  }
}
