/// "Receive data from other apps" as the admin centre offers it: one choice for two Graph properties.
enum ReceiveChoice: String, CaseIterable {
  // From the strictest to the most permissive.
  case none = "None"
  case managedApps = "Policy managed apps"
  case incomingOrgData = "All apps with incoming Org data"
  case allApps = "All apps"

  init(of settings: Settings) {
    self =
      switch settings.allowedInboundDataTransferSources {
      case .none: .none
      case .managedApps: .managedApps
      case .allApps where settings.protectInboundDataFromUnknownSources: .incomingOrgData
      case .allApps: .allApps
      }
  }

  func apply(to settings: inout Settings) {
    settings.allowedInboundDataTransferSources =
      switch self {
      case .none: .none
      case .managedApps: .managedApps
      case .incomingOrgData, .allApps: .allApps
      }
    settings.protectInboundDataFromUnknownSources = self == .incomingOrgData
  }
}
