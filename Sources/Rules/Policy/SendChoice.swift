/// "Send org data to other apps" as the admin centre offers it: one choice for three Graph properties.
enum SendChoice: String, CaseIterable {
  // From the strictest to the most permissive.
  case none = "None"
  case filtering = "Policy managed apps with Open-In/Share filtering"
  case managedApps = "Policy managed apps"
  case osSharing = "Policy managed apps with OS sharing"
  case allApps = "All apps"

  /// The choice of `settings`. With both flags true, which the admin centre has no name for, the filter wins (assumed).
  init(of settings: Settings) {
    self =
      switch settings.allowedOutboundDataTransferDestinations {
      case .none: .none
      case .allApps: .allApps
      case .managedApps where settings.filterOpenInToOnlyManagedApps: .filtering
      case .managedApps where settings.disableProtectionOfManagedOutboundOpenInData: .osSharing
      case .managedApps: .managedApps
      }
  }

  func apply(to settings: inout Settings) {
    settings.allowedOutboundDataTransferDestinations =
      switch self {
      case .none: .none
      case .allApps: .allApps
      case .filtering, .managedApps, .osSharing: .managedApps
      }
    settings.filterOpenInToOnlyManagedApps = self == .filtering
    settings.disableProtectionOfManagedOutboundOpenInData = self == .osSharing
  }
}
