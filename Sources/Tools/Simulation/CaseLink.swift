internal import EventLoop
internal import Host
internal import Model
internal import Scenario

/// The way from one device of a case to the others.
final class CaseLink: DeviceLink {
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
  func receive(_ parcel: Parcel) {
    guard !isClosed, device.fault == nil else { return }
    device.continuity.receive(parcel)
    device.loop.touch()
  }
}
