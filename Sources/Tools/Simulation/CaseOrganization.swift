internal import Host
internal import Model
internal import Scenario

/// The organisation that the devices of a case are in: what passes from one to another, and the cloud storage that all of
/// them see.
final class CaseOrganization {
  private let devices: [CaseDevice]
  private var links: [CaseLink] = []
  /// What was saved last at each storage location, under each account.
  private var documents: [Document] = []

  private struct Document {
    let location: StorageLocation
    let owner: Account
    var parcel: Parcel
  }

  init(_ devices: [CaseDevice]) {
    self.devices = devices
    links = devices.map { CaseLink(of: $0, in: self) }
    for device in devices { connect(device) }
  }

  /// Connects a device that has come up.
  func connect(_ member: CaseDevice) {
    member.device.continuity.link = links.first { $0.member === member }
  }

  func others(than member: CaseDevice) -> [CaseDevice] { devices.filter { $0 !== member } }

  func document(at location: StorageLocation, of owner: Account) -> Parcel? {
    documents.first { $0.location == location && $0.owner.isSame(as: owner) }?.parcel
  }

  func deliver(_ parcel: Parcel, to destination: Parcel.Destination, from sender: CaseDevice) {
    switch destination {
    case .storage(let location, let owner):
      documents.removeAll { $0.location == location && $0.owner.isSame(as: owner) }
      documents.append(Document(location: location, owner: owner, parcel: parcel))
    case .device(let name):
      others(than: sender).first { $0.name == name }?.receive(parcel)
    case .appleAccount(let account):
      for other in others(than: sender) where other.isSignedIn(toAppleAccount: account) {
        other.receive(parcel)
      }
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
    organization.others(than: member).contains { $0.name == device }
  }

  func reaches(appleAccount: String) -> Bool {
    organization.others(than: member).contains { $0.isSignedIn(toAppleAccount: appleAccount) }
  }

  func send(_ parcel: Parcel, to destination: Parcel.Destination) {
    organization.deliver(parcel, to: destination, from: member)
  }

  func document(at location: StorageLocation, of owner: Account) -> Parcel? {
    organization.document(at: location, of: owner)
  }
}

extension CaseDevice {
  fileprivate func isSignedIn(toAppleAccount account: String) -> Bool {
    blueprint.scenario.device.appleAccount?.lowercased() == account.lowercased()
  }

  /// Takes what has come from another device; what comes to a device that is not up is lost.
  fileprivate func receive(_ parcel: Parcel) {
    guard restartFailure == nil, !isRestarting, device.fault == nil else { return }
    device.continuity.receive(parcel)
  }
}
