internal import Enrollment
internal import EventLoop
internal import Host
internal import Model
internal import Scenario

/// The organisation that the devices of a case are in: what passes from one to another, and the cloud storage that all of
/// them see.
final class CaseOrganization {
  private let byName: [String: CaseDevice]
  private let byAppleAccount: [String: [CaseDevice]]
  private var links: [String: CaseLink] = [:]
  /// What the service has answered to all devices.
  private let load = ServiceLoad()
  /// What was saved last at each storage location, under each account.
  private var documents: [Document] = []

  private struct Document {
    let location: StorageLocation
    let owner: Account
    var parcel: Parcel
  }

  init(_ devices: [CaseDevice]) {
    byName = Dictionary(uniqueKeysWithValues: devices.map { ($0.name, $0) })
    byAppleAccount = Dictionary(grouping: devices) { $0.appleAccount ?? "" }
    for device in devices {
      links[device.name] = CaseLink(of: device, in: self)
      connect(device)
    }
  }

  /// Connects a device that has come up.
  func connect(_ member: CaseDevice) {
    member.device.continuity.link = links[member.name]
    member.device.enrollment.load = load
  }

  /// The device of that name, where it is another than `member`.
  func device(named name: String, besides member: CaseDevice) -> CaseDevice? {
    byName[name].flatMap { $0 === member ? nil : $0 }
  }

  /// The other devices that are signed in to an Apple Account.
  func devices(of appleAccount: String, besides member: CaseDevice) -> [CaseDevice] {
    (byAppleAccount[appleAccount.lowercased()] ?? []).filter { $0 !== member }
  }

  func document(at location: StorageLocation, of owner: Account) -> Parcel? {
    documents.first { $0.location == location && $0.owner.isSame(as: owner) }?.parcel
  }

  func deliver(_ parcel: Parcel, to destination: Parcel.Destination, from sender: CaseDevice) {
    switch destination {
    case .storage(let location, let owner):
      documents.removeAll { $0.location == location && $0.owner.isSame(as: owner) }
      documents.append(Document(location: location, owner: owner, parcel: parcel))
    case .device(let name): device(named: name, besides: sender)?.receive(parcel)
    case .appleAccount(let account):
      for other in devices(of: account, besides: sender) { other.receive(parcel) }
    }
  }
}

/// The way from one device of a case to the others.
final class CaseLink: DeviceLink {
  unowned let member: CaseDevice
  private unowned let organization: CaseOrganization

  init(of member: CaseDevice, in organization: CaseOrganization) {
    self.member = member
    self.organization = organization
  }

  func reaches(_ device: String) -> Bool {
    organization.device(named: device, besides: member) != nil
  }

  func reaches(appleAccount: String) -> Bool {
    !organization.devices(of: appleAccount, besides: member).isEmpty
  }

  func send(_ parcel: Parcel, to destination: Parcel.Destination) {
    organization.deliver(parcel, to: destination, from: member)
  }

  func document(at location: StorageLocation, of owner: Account) -> Parcel? {
    organization.document(at: location, of: owner)
  }
}

extension CaseDevice {
  /// The Apple Account that the user is signed in to, in lower case; nil: none.
  fileprivate var appleAccount: String? { blueprint.scenario.device.appleAccount?.lowercased() }

  /// Takes what has come from another device; what comes to a device that is not up is lost.
  fileprivate func receive(_ parcel: Parcel) {
    guard !isClosed, device.fault == nil else { return }
    device.continuity.receive(parcel)
    device.loop.touch()
  }
}
