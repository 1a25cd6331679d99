internal import Enrollment
internal import Host
internal import Model
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

  func send(_ parcel: Parcel, to destination: Parcel.Destination, from sender: CaseDevice) {
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
