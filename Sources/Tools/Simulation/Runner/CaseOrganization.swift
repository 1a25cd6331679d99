internal import Enrollment
internal import EventLoop
package import Host
package import Model
internal import Scenario

/// The organisation that the devices of a case are in: what is on its way from one to another, and the cloud storage that
/// all of them see.
final class CaseOrganization {
  /// All devices, wherever they are.
  let roster: DeviceRoster
  /// The seconds that what passes between devices takes.
  private let latency: Int
  /// The devices that are here, by their names.
  private var members: [String: CaseDevice] = [:]
  private var links: [String: CaseLink] = [:]
  /// What the service has answered to all devices.
  private let load = ServiceLoad()
  private var cloud = CloudStorage()
  /// What is on its way to each device that is here, in the order in which it arrives.
  private var coming: [String: [Passage]] = [:]
  /// The time before which nothing can be sent any more; what somebody sends all the same is sent then.
  var floor = Int.min
  /// Takes what is to arrive elsewhere, too; nil: all devices are here.
  var forward: ((Passage) -> Void)?

  init(_ roster: DeviceRoster, latency: Int) {
    self.roster = roster
    self.latency = latency
  }

  /// Takes in a device that is here.
  func add(_ member: CaseDevice) {
    members[member.name] = member
    links[member.name] = CaseLink(of: member, in: self)
    connect(member)
  }

  /// Connects a device that has come up.
  func connect(_ member: CaseDevice) {
    member.device.continuity.link = links[member.name]
    member.device.enrollment.load = load
  }

  /// What is at a storage location under an account as a device sees it; nil: nothing.
  func document(
    at location: StorageLocation, of owner: Account, for member: CaseDevice
  ) -> Parcel? {
    cloud.document(at: location, of: owner, time: member.time)
  }

  // MARK: on the way

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

  /// Takes what arrives here.
  func take(_ passage: Passage) {
    switch passage.place {
    case .storage(let location, let owner): cloud.save(passage, at: location, of: owner)
    case .device(let name):
      guard latency > 0 else { return members[name]?.receive(passage.parcel) ?? () }
      // The device may still be on its way here, from a host that was lost.
      coming[name, default: []].insertInOrder(passage)
    }
  }

  /// The time at which something arrives or is due next on a device that is here; nil: nothing.
  func nextEvent(of member: CaseDevice) -> Int? {
    [coming[member.name]?.first?.time, member.nextDue].compactMap(\.self).min()
  }

  /// Hands a device what has arrived by its time.
  func deliver(to member: CaseDevice) {
    while let next = coming[member.name]?.first, next.time <= member.time {
      coming[member.name]?.removeFirst()
      member.receive(next.parcel)
    }
  }

  /// Forgets what nobody can see any more, since for every device it is at least that late.
  func forget(before time: Int) { cloud.forget(before: time) }
}

// MARK: - Devices

/// All devices of an organisation.
struct DeviceRoster {
  private let names: Set<String>
  private let byAppleAccount: [String: [String]]
  /// Whether MDM manages any of them.
  let isAnyManaged: Bool

  /// - Parameter devices: the scenario as each device sees it.
  init(_ devices: [Scenario]) {
    isAnyManaged = devices.contains(where: \.device.isMDMEnrolled)
    names = Set(devices.map(\.device.name))
    byAppleAccount = Dictionary(grouping: devices) {
      $0.device.appleAccount?.lowercased() ?? ""
    }.mapValues { $0.map(\.device.name) }
  }

  /// Whether there is a device of that name, and it is another than `device`.
  func has(_ name: String, besides device: String) -> Bool {
    name != device && names.contains(name)
  }

  /// The other devices that are signed in to an Apple Account.
  func devices(of appleAccount: String, besides device: String) -> [String] {
    (byAppleAccount[appleAccount.lowercased()] ?? []).filter { $0 != device }
  }
}

// MARK: - Links

/// The way from one device of a case to the others.
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
  /// Takes what has come from another device; what comes to a device that is not up is lost.
  fileprivate func receive(_ parcel: Parcel) {
    guard !isClosed, device.fault == nil else { return }
    device.continuity.receive(parcel)
    device.loop.touch()
  }
}

// MARK: - Parcels on their way

/// A parcel on its way from one device to another, or to cloud storage.
package struct Passage: Sendable {
  package let parcel: Parcel
  package let place: Place
  /// The time by the clock of all devices at which it is there.
  package let time: Int
  /// The place of the device that sent it among the organisation's devices, from 0 on.
  package let sender: Int

  package init(parcel: Parcel, place: Place, time: Int, sender: Int) {
    self.parcel = parcel
    self.place = place
    self.time = time
    self.sender = sender
  }

  /// Where a parcel arrives.
  package enum Place: Sendable {
    /// The device of that name.
    case device(String)
    /// A storage location, under the account that owns what is there.
    case storage(StorageLocation, owner: Account)
  }

  /// Whether this arrives before another at the same place. What a device sends is ordered by its requests.
  fileprivate func isBefore(_ other: Passage) -> Bool {
    (time, sender, parcel.request) < (other.time, other.sender, other.parcel.request)
  }
}

extension [Passage] {
  /// Adds a passage after all that arrive before it.
  fileprivate mutating func insertInOrder(_ passage: Passage) {
    let index = lastIndex { !passage.isBefore($0) }.map { $0 + 1 } ?? 0
    insert(passage, at: index)
  }
}

// MARK: - Cloud storage

/// The cloud storage that all devices of an organisation see.
private struct CloudStorage {
  private var folders: [Folder] = []

  /// A storage location, under one account.
  private struct Folder {
    let location: StorageLocation
    let owner: Account
    /// What was saved there, in the order in which it is there.
    var saved: [Passage]
  }

  /// Saves what arrives at a storage location.
  mutating func save(_ passage: Passage, at location: StorageLocation, of owner: Account) {
    if let index = index(of: location, owner) {
      folders[index].saved.insertInOrder(passage)
    } else {
      folders.append(Folder(location: location, owner: owner, saved: [passage]))
    }
  }

  /// What is at a storage location at a time; nil: nothing.
  func document(at location: StorageLocation, of owner: Account, time: Int) -> Parcel? {
    index(of: location, owner).flatMap { index in
      folders[index].saved.last { $0.time <= time }?.parcel
    }
  }

  private func index(of location: StorageLocation, _ owner: Account) -> Int? {
    folders.firstIndex { $0.location == location && $0.owner.isSame(as: owner) }
  }

  /// Forgets what nobody can see any more, since for everybody it is at least that late.
  mutating func forget(before time: Int) {
    for index in folders.indices {
      let saved = folders[index].saved
      guard let last = saved.lastIndex(where: { $0.time <= time }), last > 0 else { continue }
      folders[index].saved = Array(saved[last...])
    }
  }
}
