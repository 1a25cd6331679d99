internal import Enrollment
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
    let parcel: Parcel
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
