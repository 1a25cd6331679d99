import Model
import Policy

/// The names under which the SDK logs settings of the admin centre's page "Data protection".
extension LogField {
  static let transferFields: [LogField] = [
    LogField("AppSharingToLevel", .allowedOutboundDataTransferDestinations, .level(sharing)) {
      switch $0.allowedOutboundDataTransferDestinations {
      case .none: .number(0)
      case .managedApps: .number(1)
      case .allApps: .number(2)
      }
    },
    LogField("AppSharingFromLevel", .allowedInboundDataTransferSources, .level(sharing)) {
      switch $0.allowedInboundDataTransferSources {
      case .none: .number(0)
      case .managedApps: .number(1)
      case .allApps: .number(2)
      }
    },
    LogField("EnableOpenInFilter", .filterOpenInToOnlyManagedApps, .flag("Disabled", "Enabled")) {
      .flag($0.filterOpenInToOnlyManagedApps)
    },
    // That the value follows Graph's flag is assumed: Microsoft's table states that it is true with the filter, and can
    // be true with OS sharing.
    LogField(
      "ProtectManagedOpenInData", .disableProtectionOfManagedOutboundOpenInData,
      .flag("False", "True")
    ) {
      .flag(
        $0.allowedOutboundDataTransferDestinations == .managedApps
          && !$0.disableProtectionOfManagedOutboundOpenInData)
    }.also(.allowedOutboundDataTransferDestinations)
      .open { $0.disableProtectionOfManagedOutboundOpenInData },
    LogField("ProtocolExclusions", .exemptedAppProtocols, .list(";")) {
      .list(Set($0.exemptedAppProtocols.map { $0.lowercased() }))
    },
    LogField("UniversalLinkExclusions", .exemptedUniversalLinks, .list("|")) {
      .list(Set($0.exemptedUniversalLinks.map { $0.text.lowercased() }))
    },
    LogField("ManagedUniversalLinks", .managedUniversalLinks, .list("|")) {
      .list(Set($0.managedUniversalLinks.map { $0.text.lowercased() }))
    },
    LogField("FileSharingSaveAsDisabled", .saveAsBlocked, .flag("Allow", "Block")) {
      .flag($0.saveAsBlocked)
    },
    LogField("ManagedLocations", .allowedDataStorageLocations, .locations(storage)) {
      .number($0.allowedDataStorageLocations.reduce(0) { $0 | $1.bit })
    },
    LogField(
      "OpenDataIntoOrgDocumentsBlocked", .blockDataIngestionIntoOrganizationDocuments,
      .flag("Allow", "Block")
    ) { .flag($0.blockDataIngestionIntoOrganizationDocuments) },
    LogField(
      "OpenDataFromManagedLocations", .allowedDataIngestionLocations, .locations(ingestion)
    ) { .number($0.allowedDataIngestionLocations.reduce(0) { $0 | $1.bit }) },
    LogField(
      "ClipboardSharingLevel", .allowedOutboundClipboardSharingLevel,
      .level([
        0: "Blocked", 1: "Policy managed apps", 2: "Policy managed apps with paste in",
        3: "Any app",
      ])
    ) {
      switch $0.allowedOutboundClipboardSharingLevel {
      case .blocked: .number(0)
      case .managedApps: .number(1)
      case .managedAppsWithPasteIn: .number(2)
      case .allApps: .number(3)
      }
    },
    LogField(
      "ClipboardCharacterLengthException", .allowedOutboundClipboardSharingExceptionLength,
      .count("characters")
    ) { .number($0.allowedOutboundClipboardSharingExceptionLength) },
    // Microsoft's table has no 2, and the admin centre no such choice for iOS; that 2 is `managedApps` is
    // assumed.
    LogField(
      "DialerRestrictionLevel", .dialerRestrictionLevel,
      .level([
        0: "None, do not transfer this data between apps", 1: "A specific dialer app",
        2: "Any policy-managed dialer app", 3: "Any dialer app",
      ])
    ) {
      switch $0.dialerRestrictionLevel {
      case .blocked: .number(0)
      case .customApp: .number(1)
      case .managedApps: .number(2)
      case .allApps: .number(3)
      }
    },
    LogField("SpecificDialerProtocol", .customDialerAppProtocol, .text) {
      .text($0.customDialerAppProtocol.lowercased())
    },
  ]

  private static let sharing = [0: "None", 1: "Policy managed apps", 2: "All apps"]

  private static let storage = [
    1: "OneDrive for Business", 2: "SharePoint", 4: "Box", 32: "Local Storage",
    128: "Photo Library",
  ]

  private static let ingestion = [
    1: "OneDrive for Business", 2: "SharePoint", 4: "Camera", 8: "Local Storage",
    16: "Photo Library",
  ]
}

extension Settings.StorageService {
  /// The bit of the service in the logged sum; 0 where none is documented.
  fileprivate var bit: Int {
    switch self {
    case .oneDriveForBusiness: 1
    case .sharePoint: 2
    case .box: 4
    case .localStorage: 32
    case .photoLibrary: 128
    case .iManage, .egnyte: 0
    }
  }
}

extension Settings.IngestionService {
  /// The bit of the service in the logged sum; 0 where none is documented.
  fileprivate var bit: Int {
    switch self {
    case .oneDriveForBusiness: 1
    case .sharePoint: 2
    case .camera: 4
    case .photoLibrary: 16
    case .box, .iManage, .egnyte: 0
    }
  }
}
