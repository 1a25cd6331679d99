internal import Scenario

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
