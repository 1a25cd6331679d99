/// The simulated restrictions of a profile, or of all profiles of a device. A property is nil if no payload states the
/// restriction; Apple's default then applies.
///
/// Source: Apple Device Management, Restrictions (`com.apple.applicationaccess`).
package struct Restrictions: Sendable, Equatable {
  /// `allowOpenFromManagedToUnmanaged`; Apple's default is true.
  package var allowOpenFromManagedToUnmanaged: Bool?
  /// `allowOpenFromUnmanagedToManaged`; Apple's default is true.
  package var allowOpenFromUnmanagedToManaged: Bool?
  /// `requireManagedPasteboard`; Apple's default is false.
  package var requireManagedPasteboard: Bool?
  /// `allowManagedToWriteUnmanagedContacts`; Apple's default is false.
  package var allowManagedToWriteUnmanagedContacts: Bool?
  /// `allowUnmanagedToReadManagedContacts`; Apple's default is false.
  package var allowUnmanagedToReadManagedContacts: Bool?
  /// `forceAirDropUnmanaged`; Apple's default is false.
  package var forceAirDropUnmanaged: Bool?
  /// `allowActivityContinuation` (Handoff); Apple's default is true.
  package var allowActivityContinuation: Bool?
  /// `allowScreenShot` (screenshots and screen recordings); Apple's default is true.
  package var allowScreenShot: Bool?
  /// `allowWritingTools`; Apple's default is true. Applies only to supervised devices.
  package var allowWritingTools: Bool?
  /// `allowGenmoji`; Apple's default is true. Applies only to supervised devices.
  package var allowGenmoji: Bool?

  /// A key of the payload and the property that stores its value.
  struct Key: Sendable {
    let name: String
    let path: any WritableKeyPath<Restrictions, Bool?> & Sendable
    /// The more restrictive value.
    let stricter: Bool
  }

  static let keys = [
    Key("allowOpenFromManagedToUnmanaged", \.allowOpenFromManagedToUnmanaged, stricter: false),
    Key("allowOpenFromUnmanagedToManaged", \.allowOpenFromUnmanagedToManaged, stricter: false),
    Key("requireManagedPasteboard", \.requireManagedPasteboard, stricter: true),
    Key(
      "allowManagedToWriteUnmanagedContacts", \.allowManagedToWriteUnmanagedContacts,
      stricter: false),
    Key(
      "allowUnmanagedToReadManagedContacts", \.allowUnmanagedToReadManagedContacts, stricter: false
    ),
    Key("forceAirDropUnmanaged", \.forceAirDropUnmanaged, stricter: true),
    Key("allowActivityContinuation", \.allowActivityContinuation, stricter: false),
    Key("allowScreenShot", \.allowScreenShot, stricter: false),
    Key("allowWritingTools", \.allowWritingTools, stricter: false),
    Key("allowGenmoji", \.allowGenmoji, stricter: false),
  ]

  package init() {}

  /// Returns the restrictions of a device that has both profiles. If both state a key, the more restrictive value
  /// applies.
  ///
  /// Source: Apple Support, "Payload best practices for Apple devices": if restrictions conflict on an iPhone or iPad,
  /// the most restrictive one applies.
  package func combined(with other: Restrictions) -> Restrictions {
    var result = self
    for key in Self.keys {
      let values = [self[keyPath: key.path], other[keyPath: key.path]].compactMap(\.self)
      result[keyPath: key.path] = values.contains(key.stricter) ? key.stricter : values.first
    }
    return result
  }
}

extension Restrictions.Key {
  init(
    _ name: String, _ path: any WritableKeyPath<Restrictions, Bool?> & Sendable, stricter: Bool
  ) {
    self.name = name
    self.path = path
    self.stricter = stricter
  }
}

/// A key of `com.apple.applicationaccess` that is not simulated, classified by its effect on decisions.
///
/// Source: github.com/apple/device-management, `mdm/profiles/com.apple.applicationaccess.yaml`, up to iOS 27.
enum UnsimulatedRestriction: Equatable {
  /// The restriction changes decisions of a real device. The associated value is the subject of these decisions, such
  /// as `printing`.
  case bears(on: String)
  case bearsOnNothing
  /// Apple does not publish the key.
  case unknown

  init(_ key: String) {
    self =
      if let subject = Self.subjects[key] {
        .bears(on: subject)
      } else {
        Self.others.contains(key) ? .bearsOnNothing : .unknown
      }
  }

  static let published = Restrictions.keys.map(\.name) + subjects.keys + others

  /// Returns whether `value` is Apple's default, which restricts nothing.
  static func isDefault(_ value: PropertyListValue, of key: String) -> Bool {
    guard case .boolean(let flag) = value.kind else { return false }
    return flag
      == (!key.lowercased().contains("force") && key != "allowUnpairedExternalBootToRecovery")
  }

  private static let apps =
    "the available apps; state them in `com.apple.configuration.app.settings`"

  /// The keys that affect decisions, each with the subject of these decisions.
  private static let subjects = [
    "allowAirDrop": "AirDrop", "allowAirPrint": "printing", "allowAppClips": "App Clips",
    "allowAssistant": "Siri", "allowCamera": "opening from the camera",
    "allowChat": "iMessage", "allowCloudBackup": "backups",
    "allowCloudDocumentSync": "saving to iCloud", "allowManagedAppsCloudSync": "saving to iCloud",
    "allowFilesNetworkDriveAccess": "document pickers",
    "allowFilesUSBDriveAccess": "document pickers", "allowSafari": "links that Safari opens",
    "allowiPhoneWidgetsOnMac": "widgets", "allowListedAppBundleIDs": apps,
    "whitelistedAppBundleIDs": apps, "blockedAppBundleIDs": apps, "blacklistedAppBundleIDs": apps,
  ]

  /// The keys that do not affect decisions.
  private static let others: Set = [
    "allowAccountModification", "allowAddingGameCenterFriends", "allowAirPlayIncomingRequests",
    "allowAirPrintCredentialsStorage", "allowAirPrintiBeaconDiscovery",
    "allowAppCellularDataModification", "allowAppInstallation", "allowAppleIntelligenceReport",
    "allowApplePersonalizedAdvertising", "allowAppRemoval", "allowAppsToBeHidden",
    "allowAppsToBeLocked", "allowARDRemoteManagementModification",
    "allowAssistantUserGeneratedContent", "allowAssistantWhileLocked", "allowAutoCorrection",
    "allowAutoDim", "allowAutomaticAppDownloads", "allowAutomaticScreenSaver", "allowAutoUnlock",
    "allowBluetoothModification", "allowBluetoothSharingModification", "allowBookstore",
    "allowBookstoreErotica", "allowCallRecording", "allowCellularPlanModification",
    "allowCloudAddressBook", "allowCloudBookmarks", "allowCloudCalendar",
    "allowCloudDesktopAndDocuments", "allowCloudFreeform", "allowCloudKeychainSync",
    "allowCloudMail", "allowCloudNotes", "allowCloudPhotoLibrary", "allowCloudPrivateRelay",
    "allowCloudReminders", "allowContentCaching", "allowContinuousPathKeyboard",
    "allowDefaultBrowserModification", "allowDefaultCallingAppModification",
    "allowDefaultMessagingAppModification", "allowDefinitionLookup",
    "allowDeviceNameModification", "allowDeviceSleep", "allowDiagnosticSubmission",
    "allowDiagnosticSubmissionModification", "allowDictation",
    "allowedCameraRestrictionBundleIDs", "allowedExternalIntelligenceWorkspaceIDs",
    "allowEnablingRestrictions", "allowEnterpriseAppTrust", "allowEnterpriseBookBackup",
    "allowEnterpriseBookMetadataSync", "allowEraseContentAndSettings", "allowESIMModification",
    "allowESIMOutgoingTransfers", "allowExplicitContent", "allowExternalIntelligenceIntegrations",
    "allowExternalIntelligenceIntegrationsSignIn", "allowFileSharingModification",
    "allowFindMyDevice", "allowFindMyFriends", "allowFindMyFriendsModification",
    "allowFingerprintForUnlock", "allowFingerprintModification", "allowGameCenter",
    "allowGlobalBackgroundFetchWhenRoaming", "allowHostPairing", "allowImagePlayground",
    "allowImageWand", "allowInAppPurchases", "allowInternetSharingModification",
    "allowiPhoneMirroring", "allowiTunes", "allowiTunesFileSharing", "allowKeyboardShortcuts",
    "allowLiveVoicemail", "allowLocalUserCreation", "allowLockScreenControlCenter",
    "allowLockScreenNotificationsView", "allowLockScreenTodayView", "allowMailPrivacyProtection",
    "allowMailSmartReplies", "allowMailSummary", "allowMarketplaceAppInstallation",
    "allowMediaSharingModification", "allowMultiplayerGaming", "allowMusicService", "allowNews",
    "allowNFC", "allowNotesTranscription", "allowNotesTranscriptionSummary",
    "allowNotificationsModification", "allowOTAPKIUpdates", "allowPairedWatch",
    "allowPassbookWhileLocked", "allowPasscodeModification", "allowPasswordAutoFill",
    "allowPasswordProximityRequests", "allowPasswordSharing", "allowPersonalHotspotModification",
    "allowPersonalizedHandwritingResults", "allowPhotoStream", "allowPodcasts",
    "allowPredictiveKeyboard", "allowPrinterSharingModification",
    "allowProximitySetupToNewDevice", "allowRadioService",
    "allowRapidSecurityResponseInstallation", "allowRapidSecurityResponseRemoval",
    "allowRCSMessaging", "allowRemoteAppleEventsModification", "allowRemoteAppPairing",
    "allowRemoteScreenObservation", "allowRosettaUsageAwareness", "allowSafariHistoryClearing",
    "allowSafariPrivateBrowsing", "allowSafariSummary", "allowSatelliteConnection",
    "allowSharedDeviceTemporarySession", "allowSharedStream", "allowSpellCheck",
    "allowSpotlightInternetResults", "allowStartupDiskModification", "allowSystemAppRemoval",
    "allowTimeMachineBackup", "allowUIAppInstallation", "allowUIConfigurationProfileInstallation",
    "allowUniversalControl", "allowUnpairedExternalBootToRecovery", "allowUntrustedTLSPrompt",
    "allowUSBRestrictedMode", "allowVideoConferencing", "allowVideoConferencingRemoteControl",
    "allowVisualIntelligenceSummary", "allowVoiceDialing", "allowVPNCreation",
    "allowWallpaperModification", "allowWebDistributionAppInstallation",
    "autonomousSingleAppModePermittedAppIDs", "deniedICCIDsForiMessageFaceTime",
    "deniedICCIDsForRCS", "enforcedFingerprintTimeout", "enforcedSoftwareUpdateDelay",
    "enforcedSoftwareUpdateMajorOSDeferredInstallDelay",
    "enforcedSoftwareUpdateMinorOSDeferredInstallDelay",
    "enforcedSoftwareUpdateNonOSDeferredInstallDelay",
    "forceAirPlayIncomingRequestsPairingPassword", "forceAirPlayOutgoingRequestsPairingPassword",
    "forceAirPrintTrustedTLSRequirement", "forceAssistantProfanityFilter",
    "forceAuthenticationBeforeAutoFill", "forceAutomaticDateAndTime",
    "forceBypassScreenCaptureAlert", "ForceCaptivePortalConnectionFromLockScreen",
    "forceClassroomAutomaticallyJoinClasses", "forceClassroomRequestPermissionToLeaveClasses",
    "forceClassroomUnpromptedAppAndDeviceLock", "forceClassroomUnpromptedScreenObservation",
    "forceDelayedAppSoftwareUpdates", "forceDelayedMajorSoftwareUpdates",
    "forceDelayedSoftwareUpdates", "forceEncryptedBackup", "forceITunesStorePasswordEntry",
    "forceLimitAdTracking", "forceOnDeviceOnlyDictation", "forceOnDeviceOnlyTranslation",
    "forcePreserveESIMOnErase", "forceWatchWristDetection", "ForceWifiConfigurationOnLockScreen",
    "forceWiFiPowerOn", "forceWiFiToAllowedNetworksOnly", "forceWiFiWhitelisting", "ratingApps",
    "ratingAppsExemptedBundleIDs", "ratingMovies", "ratingRegion", "ratingTVShows",
    "safariAcceptCookies", "safariAllowAutoFill", "safariAllowJavaScript", "safariAllowPopups",
    "safariForceFraudWarning",
  ]
}
