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
  var appleAccount: String? { blueprint.scenario.device.appleAccount?.lowercased() }

  /// Takes what has come from another device; what comes to a device that is not up is lost.
  func receive(_ parcel: Parcel) {
    guard !isClosed, device.fault == nil else { return }
    device.continuity.receive(parcel)
    device.loop.touch()
  }
}
