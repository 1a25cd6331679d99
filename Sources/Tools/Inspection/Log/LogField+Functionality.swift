import Model
import Policy

/// The names under which the SDK logs the functionality that a policy restricts.
extension LogField {
  static let functionalityFields: [LogField] = [
    LogField("PrintingBlocked", .printBlocked, allowOrBlock) { .flag($0.printBlocked) },
    LogField(
      "NotificationRestriction", .notificationRestriction,
      .level([0: "Allow", 1: "Block Org Data", 2: "Block"])
    ) {
      switch $0.notificationRestriction {
      case .allow: .number(0)
      case .blockOrganizationalData: .number(1)
      case .block: .number(2)
      }
    },
    LogField("ContactSyncDisabled", .contactSyncBlocked, allowOrBlock) {
      .flag($0.contactSyncBlocked)
    },
    LogField("DataBackupDisabled", .dataBackupBlocked, allowOrBlock) {
      .flag($0.dataBackupBlocked)
    },
    LogField("ThirdPartyKeyboardsBlocked", .thirdPartyKeyboardsBlocked, allowOrBlock) {
      .flag($0.thirdPartyKeyboardsBlocked)
    },
    LogField(
      "FileEncryptionLevel", .appDataEncryptionType,
      .level([
        0: "When device is locked", 1: "When device is locked and there are open files",
        2: "After device restart", 3: "Use device settings",
      ])
    ) {
      switch $0.appDataEncryptionType {
      case .whenDeviceLocked: .number(0)
      case .whenDeviceLockedExceptOpenFiles: .number(1)
      case .afterDeviceRestart: .number(2)
      case .useDeviceSettings: .number(3)
      }
    },
    LogField(
      "ManagedBrowserRequired", .managedBrowserToOpenLinksRequired, .flag("False", "True")
    ) { .flag($0.managedBrowserToOpenLinksRequired || $0.managedBrowser == .microsoftEdge) }
    .also(.managedBrowser),
    LogField("UnmanagedBrowserProtocol", .customBrowserProtocol, .text) {
      .text($0.customBrowserProtocol.lowercased())
    },
    LogField("ScreenCaptureConfigurationState", .screenCaptureConfigurationState, state) {
      $0.screenCaptureConfigurationState?.logged
    },
    LogField("WritingToolsConfigurationState", .writingToolsConfigurationState, state) {
      $0.writingToolsConfigurationState?.logged
    },
    LogField("GenmojiConfigurationState", .genmojiConfigurationState, state) {
      $0.genmojiConfigurationState?.logged
    },
  ]

  private static let allowOrBlock = Kind.flag("Allow", "Block")
  private static let state = Kind.level([0: "Allow", 1: "Block"])
}

extension Settings.ConfigurationState {
  fileprivate var logged: LogValue { .number(self == .blocked ? 1 : 0) }
}
