extension Statement {
  /// All statements. The statements of a source follow the line about the source.
  ///
  /// Generated from `evidence` and `evidence-open` by `SLUICE_RECORD=1 make test FILTER=EvidenceTableTests`.
  static let table = #"""
    documentation|2025-11-18|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-protection-policy-settings-ios|iOS app protection policy settings
    - evidence/clipboard/any-app|With "Any app", there is no restriction in either direction.|clipboardAllApps|allowedOutboundClipboardSharingLevel|clipboard
    - evidence/clipboard/blocked-paste-in|With "Blocked", data of another app cannot be pasted into this app.|clipboardBlocked|allowedOutboundClipboardSharingLevel|clipboard
    - evidence/clipboard/blocked|With "Blocked", nothing is cut, copied or pasted between this app and any other app.|clipboardBlocked|allowedOutboundClipboardSharingLevel|clipboard
    - evidence/clipboard/character-limit-needs-9-0-14|The character limit needs SDK 9.0.14.|clipboardManagedAppsToUnmanaged|allowedOutboundClipboardSharingLevel allowedOutboundClipboardSharingExceptionLength|clipboard||9.0.14
    - evidence/clipboard/character-limit|Text within the character limit can be pasted in any app, unmanaged ones included, whatever the level.|clipboardException|allowedOutboundClipboardSharingLevel allowedOutboundClipboardSharingExceptionLength|clipboard
    - evidence/clipboard/managed-apps-in|With "Policy managed apps", data of an unmanaged app cannot be pasted in this app.|clipboardManagedAppsFromUnmanaged|allowedOutboundClipboardSharingLevel|clipboard
    - evidence/clipboard/managed-apps-out|With "Policy managed apps", org data cannot be pasted in an unmanaged app.|clipboardManagedAppsToUnmanaged|allowedOutboundClipboardSharingLevel|clipboard
    - evidence/clipboard/managed-apps|With "Policy managed apps", org data can be pasted in another policy-managed app.|clipboardManagedApps|allowedOutboundClipboardSharingLevel|clipboard
    - evidence/clipboard/over-the-character-limit|Text longer than the limit follows the level.|clipboardManagedAppsToUnmanaged|allowedOutboundClipboardSharingLevel allowedOutboundClipboardSharingExceptionLength|clipboard
    - evidence/clipboard/paste-in|With "Policy managed with paste in", data of any app can be pasted in this app.|clipboardPasteIn|allowedOutboundClipboardSharingLevel|clipboard
    - evidence/clipboard/same-app-and-account|Copying within one managed app is not transfer between apps, so it is allowed.|clipboardSameIdentity|allowedOutboundClipboardSharingLevel|clipboard
    - evidence/functions/backup-blocked|With "Backup Org data: Block", org data is not backed up to iTunes and iCloud.|backupBlocked|dataBackupBlocked|backup
    - evidence/functions/backup-default|Backing up org data is allowed by default.|backupAllowed|dataBackupBlocked|backup
    - evidence/functions/contacts-allowed|With the sync of native apps allowed, org contacts can be saved to the device.|contactSyncAllowed|contactSyncBlocked|contactSync
    - evidence/functions/contacts-blocked|With the sync of native apps blocked, org contacts are not saved to the device.|contactSyncBlocked|contactSyncBlocked|contactSync
    - evidence/functions/genmoji-allowed|With "Genmoji: Allow", the feature may use org data.|genmojiAllowed|genmojiConfigurationState|genmoji
    - evidence/functions/genmoji-blocked|"Genmoji: Block" applies to org data even if Send is "All apps".|genmojiBlocked|genmojiConfigurationState|genmoji
    - evidence/functions/genmoji-needs-20-4-0|The setting for Genmoji needs SDK 20.4.0 in the version 20 line.|settingNotRead|genmojiConfigurationState|genmoji||20.4.0
    - evidence/functions/keyboards-blocked|With "Third-party keyboards: Block", managed apps offer the standard keyboard only.|keyboardsBlocked|thirdPartyKeyboardsBlocked|keyboard
    - evidence/functions/keyboards-need-8-0-14|An SDK older than 8.0.14 does not have the keyboard setting.|settingNotRead|thirdPartyKeyboardsBlocked|keyboard||8.0.14
    - evidence/functions/keyboards-personal-account-before-12-0-16|SDK 8.0.14 to 12.0.15 does not apply the block of keyboards to the personal accounts of multi-identity apps.|keyboardsBlocked|thirdPartyKeyboardsBlocked|keyboard||12.0.15
    - evidence/functions/keyboards-personal-account|The block of keyboards also covers the personal accounts of a multi-identity app.|keyboardsBlocked|thirdPartyKeyboardsBlocked|keyboard||12.0.16
    - evidence/functions/keyboards-unmanaged-app|The block of keyboards does not affect unmanaged apps.||thirdPartyKeyboardsBlocked|keyboard
    - evidence/functions/notifications-allowed|With "Allow", notifications carry org data.|notificationsAllowed|notificationRestriction|notification
    - evidence/functions/notifications-without-org-data|With "Block org data", notifications carry no org data.|notificationsWithoutOrgData|notificationRestriction|notification
    - evidence/functions/printing-allowed|With "Printing Org data: Allow", org data can be printed.|printingAllowed|printBlocked|print
    - evidence/functions/printing-blocked|With "Printing Org data: Block", org data cannot be printed.|printingBlocked|printBlocked|print
    - evidence/functions/printing-is-not-send|Printing has a setting of its own, so Send "Policy managed apps" does not block it.|printingAllowed|printBlocked allowedOutboundDataTransferDestinations|print
    - evidence/functions/screen-capture-allowed|With "Screen capture: Allow", the feature may use org data.|screenCaptureAllowed|screenCaptureConfigurationState|screenCapture
    - evidence/functions/screen-capture-blocked|"Screen capture: Block" applies to org data even if Send is "All apps".|screenCaptureBlocked|screenCaptureConfigurationState|screenCapture
    - evidence/functions/screen-capture-needs-20-4-0|The setting for Screen capture needs SDK 20.4.0 in the version 20 line.|settingNotRead|screenCaptureConfigurationState|screenCapture||20.4.0
    - evidence/functions/screen-capture-setting-in-19-7-12|The setting for screen capture is in SDK 19.7.12 of the version 19 line.|screenCaptureBlocked|screenCaptureConfigurationState|screenCapture||19.7.12
    - evidence/functions/writing-tools-allowed|With "Writing Tools: Allow", the feature may use org data.|writingToolsAllowed|writingToolsConfigurationState|writingTools
    - evidence/functions/writing-tools-blocked|"Writing Tools: Block" applies to org data even if Send is "All apps".|writingToolsBlocked|writingToolsConfigurationState|writingTools
    - evidence/functions/writing-tools-needs-20-4-0|The setting for Writing Tools needs SDK 20.4.0 in the version 20 line.|settingNotRead|writingToolsConfigurationState|writingTools||20.4.0
    - evidence/launch/disabled-account-blocks|A user who is disabled in Entra is blocked.|accountDisabledBlocks|appActionIfUnableToAuthenticateUser
    - evidence/launch/disabled-account-wipes|The action for a disabled user may be a wipe.|accountDisabledWipes|appActionIfUnableToAuthenticateUser
    - evidence/launch/encryption-needs-a-device-pin|With "Encrypt org data: Require" on a device without a PIN, the user must set a device PIN before the app opens.|devicePINMissing|appDataEncryptionType
    - evidence/launch/high-accepts-every-level|"High" accepts every level that a threat defence app reports.|threatLevelAccepted|maximumAllowedDeviceThreatLevel
    - evidence/launch/high-needs-a-connection|"High" requires only that a threat defence app reports.|threatLevelUnknownBlocks|maximumAllowedDeviceThreatLevel
    - evidence/launch/jailbroken-blocks|On a jailbroken device, the account is blocked.|jailbrokenBlocks|deviceComplianceRequired
    - evidence/launch/jailbroken-personal-tasks|On a jailbroken device, the app still opens personal accounts.|jailbrokenBlocks|deviceComplianceRequired
    - evidence/launch/jailbroken-wipes|The action for jailbroken devices may be a wipe.|jailbrokenWipes|deviceComplianceRequired appActionIfDeviceComplianceRequired
    - evidence/launch/max-os-blocks|A device above the maximum iOS version is blocked.|maximumOSVersionBlocks|maximumRequiredOsVersion|||14.4.0
    - evidence/launch/max-os-needs-14-4-0|The maximum iOS version needs SDK 14.4.0.|settingNotRead|maximumRequiredOsVersion|||14.4.0
    - evidence/launch/min-app-needs-7-0-1|The minimum app version needs SDK 7.0.1.|settingNotRead|minimumRequiredAppVersion|||7.0.1
    - evidence/launch/min-os-met|A device that meets the minimum iOS version is admitted.|minimumOSVersionMet|minimumRequiredOsVersion
    - evidence/launch/min-os-needs-7-0-1|The minimum iOS version needs SDK 7.0.1.|settingNotRead|minimumRequiredOsVersion|||7.0.1
    - evidence/launch/min-sdk-warns|An app below the warning SDK version opens after a dismissible warning.|minimumSDKVersionWarns|minimumWarningSdkVersion
    - evidence/launch/min-sdk-wipes|An app below the wipe SDK version loses the account's data.|minimumSDKVersionWipes|minimumWipeSdkVersion
    - evidence/launch/models-block-others|With "Allow specified (Block non-specified)", other models are blocked.|deviceModelBlocks|allowedIosDeviceModels
    - evidence/launch/models-wipe-others|With "Allow specified (Wipe non-specified)", the account is wiped on other models.|deviceModelWipes|allowedIosDeviceModels appActionIfIosDeviceModelNotAllowed
    - evidence/launch/offline-grace-blocks|After the offline grace period, access to org data is blocked.|offlineGraceBlocks|periodOfflineBeforeAccessCheck
    - evidence/launch/offline-grace-holds|Within the offline grace period, org data is accessible.|offlineGraceHolds|periodOfflineBeforeAccessCheck
    - evidence/launch/offline-wipe-waits-for-the-user|After the offline wipe period, the app first asks the user to connect and sign in, and wipes only if that fails.|offlineGraceBlocks offlineGraceWipes|periodOfflineBeforeWipeIsEnforced
    - evidence/launch/offline-wipe|After the offline wipe period, the account's data is wiped.|offlineGraceWipes|periodOfflineBeforeWipeIsEnforced
    - evidence/launch/pin-is-asked-offline|The PIN is required online and offline.|pinAsked|pinRequired|print
    - evidence/launch/secured-allows-no-threat|"Secured" requires a device without threats.|threatLevelBlocks|maximumAllowedDeviceThreatLevel
    - evidence/launch/threat-level-blocks|A threat level above the maximum blocks access.|threatLevelBlocks|maximumAllowedDeviceThreatLevel
    - evidence/launch/threat-level-needs-12-0-15|The threat level needs SDK 12.0.15.|settingNotRead|maximumAllowedDeviceThreatLevel|||12.0.15
    - evidence/launch/threat-level-wipes|The action for the threat level may be a wipe.|threatLevelWipes|maximumAllowedDeviceThreatLevel mobileThreatDefenseRemediationAction
    - evidence/launch/warning-alone|A device that only misses the warning version may open the account after a dismissible warning.|minimumOSVersionWarns|minimumRequiredOsVersion minimumWarningOsVersion
    - evidence/launch/working-time-blocks|Outside of working time, the account is blocked.|clockedOutBlocks|appActionIfAccountIsClockedOut
    - evidence/launch/working-time-warns|Outside of working time, a warning may be enough.|clockedOutWarns|appActionIfAccountIsClockedOut
    - evidence/links/any-browser|With "Any app", web links open in any browser.|anyBrowser|managedBrowser|openURL
    - evidence/links/app-clips-exempt|An exempted universal link also opens an App Clip.|exemptedUniversalLink|exemptedUniversalLinks|appClip
    - evidence/links/app-clips-follow-universal-links|App Clip links follow the policy for universal links.|managedBrowserRequired|exemptedUniversalLinks|appClip
    - evidence/links/dialer-any|With "Any dialer app", a phone number opens a dialer.|dialerAnyApp|dialerRestrictionLevel|openURL
    - evidence/links/dialer-exemption-for-old-sdk|For an SDK older than 12.7.0, an exemption of tel;telprompt lets the app open the dialer.|exemptedScheme|dialerRestrictionLevel exemptedAppProtocols|openURL||12.7.0
    - evidence/links/dialer-none|With "None, do not transfer", phone numbers go to no app.|dialerBlocked|dialerRestrictionLevel|openURL
    - evidence/links/dialer-setting-needs-12-7-0|An SDK older than 12.7.0 does not read the dialer setting.|sendAllApps settingNotRead|dialerRestrictionLevel|openURL||12.7.0
    - evidence/links/dialer-specific-only|With "A specific dialer app", the phone app does not get the number.|dialerOtherApp|dialerRestrictionLevel customDialerAppProtocol|openURL
    - evidence/links/dialer-specific|With "A specific dialer app", a phone number opens the app with the named scheme.|dialerSpecificApp|dialerRestrictionLevel customDialerAppProtocol|openURL
    - evidence/links/dialer-telprompt|telprompt links follow the setting for telecommunication data.|dialerBlocked|dialerRestrictionLevel|openURL
    - evidence/links/edge-not-installed|If Edge is required and not installed, the link does not open; the user is asked to install Edge.|managedBrowserRequired|managedBrowser|openURL
    - evidence/links/edge-opens|With "Microsoft Edge", web links open in Edge.|managedBrowserUsed|managedBrowser managedBrowserToOpenLinksRequired|openURL
    - evidence/links/edge-required|With "Microsoft Edge", web links do not open in another browser.|managedBrowserRequired|managedBrowser managedBrowserToOpenLinksRequired|openURL
    - evidence/links/exempt-app-settings|app-settings is exempt by default, so its URLs open outside of managed apps.|exemptedScheme|exemptedAppProtocols|openURL
    - evidence/links/exempt-calshow|calshow is exempt by default, so its URLs open outside of managed apps.|exemptedScheme|exemptedAppProtocols|openURL
    - evidence/links/exempt-facetime-link|FaceTime links are exempt by default, with any path.|exemptedUniversalLink|exemptedUniversalLinks|universalLink
    - evidence/links/exempt-itms-services|itms-services is exempt by default, so its URLs open outside of managed apps.|exemptedScheme|exemptedAppProtocols|openURL
    - evidence/links/exempt-skype|skype is exempt by default, so its URLs open outside of managed apps.|exemptedScheme|exemptedAppProtocols|openURL
    - evidence/links/exempt-universal-link|An exempted universal link opens its unmanaged app instead of the protected browser.|exemptedUniversalLink|exemptedUniversalLinks|universalLink
    - evidence/links/exemption-does-not-open-in|An exemption works by URL only: Open-in to the exempt app stays restricted.|sendManagedAppsToUnmanaged|exemptedAppProtocols allowedOutboundDataTransferDestinations|openIn
    - evidence/links/mail-composer-exempt-since-14-5-0|From SDK 14.5.0 on, an exemption of mailto also allows the mail composer.|exemptedScheme|allowedOutboundDataTransferDestinations exemptedAppProtocols|mailComposer||14.5.0
    - evidence/links/managed-universal-link-without-policy|A managed universal link goes to the protected browser if no policy applies to the app.|managedBrowserRequired|managedUniversalLinks|universalLink
    - evidence/links/managed-universal-link|A managed universal link opens the app if a policy applies to the app.|managedUniversalLink|managedUniversalLinks|universalLink
    - evidence/links/message-composer-exempt-since-14-5-0|From SDK 14.5.0 on, an exemption of sms also allows the message composer.|exemptedScheme|allowedOutboundDataTransferDestinations exemptedAppProtocols|messageComposer||14.5.0
    - evidence/links/messages-any|With "Any messaging app", a message link opens a messaging app.|messagingAnyApp|protectedMessagingRedirectAppType|openURL
    - evidence/links/messages-need-19-0-0|An SDK older than 19.0.0 does not read the messaging setting.|sendAllApps settingNotRead|protectedMessagingRedirectAppType|openURL||19.0.0
    - evidence/links/messages-need-sms-off-the-exemptions|The messaging setting takes effect only after sms is removed from the exempt schemes.|exemptedScheme|protectedMessagingRedirectAppType exemptedAppProtocols|openURL
    - evidence/links/messages-none|With "None", message links go to no app.|messagingBlocked|protectedMessagingRedirectAppType|openURL
    - evidence/links/messages-specific|With "A specific messaging app", a message link opens the app with the named scheme.|messagingSpecificApp|protectedMessagingRedirectAppType messagingRedirectAppUrlScheme|openURL
    - evidence/links/no-other-managed-browser|No managed browser other than Edge is allowed, because the SDK cannot tell which app is a browser.|managedBrowserRequired|managedBrowser|openURL
    - evidence/links/other-universal-link|A universal link that is in neither list goes to the protected browser.|managedBrowserRequired|managedUniversalLinks exemptedUniversalLinks|universalLink
    - evidence/links/teams-pattern-path|The pattern with /l/ does not cover other paths of the same host.|managedBrowserRequired|managedUniversalLinks|universalLink
    - evidence/links/teams-pattern|The default pattern *teams.microsoft.com/l/* covers meeting links of Teams.|managedUniversalLink|managedUniversalLinks|universalLink
    - evidence/links/tel-exemption-keeps-the-dialer-open|While tel and telprompt are exempt, the dialer setting does not restrict phone numbers, so administrators should remove them.|exemptedScheme|dialerRestrictionLevel exemptedAppProtocols|openURL
    - evidence/links/unmanaged-browser-http|An http link is translated to the plain protocol.|customBrowser|customBrowserProtocol|openURL
    - evidence/links/unmanaged-browser-needs-11-0-9|The unmanaged browser protocol needs SDK 11.0.9.|settingNotRead anyBrowser|customBrowserProtocol|openURL||11.0.9
    - evidence/links/unmanaged-browser-needs-the-s-scheme|An https link is translated to the protocol with an s, so an app that has only the plain protocol does not open it.|customBrowserRequired|customBrowserProtocol|openURL
    - evidence/links/unmanaged-browser-only|With "Unmanaged browser", web links open in no other app.|customBrowserRequired|customBrowserProtocol|openURL
    - evidence/links/unmanaged-browser|With "Unmanaged browser", web links open in an app that supports the protocol.|customBrowser|customBrowserProtocol|openURL
    - evidence/links/wildcard-in-exempt-links|Exempted universal links may contain wildcards.|exemptedUniversalLink|exemptedUniversalLinks|universalLink
    - evidence/mdm/policy-does-not-control-managed-open-in|No data protection setting lifts Apple's managed open-in: a policy with "All apps" does not help.|managedOpenInRestriction|allowedOutboundDataTransferDestinations allowOpenFromManagedToUnmanaged|openIn
    - evidence/pin/biometrics-instead|Face ID may replace the PIN.|biometricsAccepted|faceIdBlocked
    - evidence/pin/credentials-and-pin|If work credentials and a PIN are required, both are asked.|credentialsAsked|organizationalCredentialsRequired
    - evidence/pin/minimum-length|A PIN must have the minimum length.|pinTooShort|minimumPinLength
    - evidence/pin/not-waived-without-enrollment|The app PIN is not waived on an unenrolled device, whose enrollment the app cannot detect.|pinNotSet|disableAppPinIfDevicePinIsSet|print
    - evidence/pin/not-waived-without-the-upn|The app PIN is not waived without IntuneMAMUPN.|pinNotSet|disableAppPinIfDevicePinIsSet IntuneMAMUPN|print
    - evidence/pin/numeric|A numeric PIN has digits only.|pinNotNumeric|pinCharacterSet
    - evidence/pin/passcode-symbol|With a passcode and simple PINs allowed, a special character is enough.|pinAccepted|pinCharacterSet
    - evidence/pin/passcode-with-simple-allowed|With a passcode and simple PINs allowed, one letter or one special character is needed.|pinNeedsLetterOrSymbol pinAccepted|pinCharacterSet simplePinBlocked
    - evidence/pin/passcode-with-simple-blocked|With a passcode and simple PINs blocked, a number, a letter and a special character are needed.|pinNeedsNumberLetterAndSymbol pinAccepted|pinCharacterSet simplePinBlocked
    - evidence/pin/reset-after-attempts|After the maximum number of attempts, the user must sign in and set a new PIN.|pinRetriesExceededResets pinResetRequired|maximumPinRetries appActionIfMaximumPinRetriesExceeded
    - evidence/pin/reset-after-days|After the number of days, the PIN must be changed.|pinExpired|periodBeforePinReset|print
    - evidence/pin/root-detection-within-the-recheck|Within the recheck interval, the app neither asks for the PIN nor repeats the jailbreak check.|jailbreakCheckNotDue|periodOnlineBeforeAccessCheck deviceComplianceRequired|print
    - evidence/pin/shared-by-publisher|The PIN is shared by the apps of one publisher, so the second app does not ask.|pinRecheckNotDue|pinRequired|print
    - evidence/pin/simple-allowed|With "Simple PIN: Allow", 1234 is accepted.|pinAccepted|simplePinBlocked
    - evidence/pin/simple-sequences|Sequences such as 1234 and 1111 are simple.|pinSimple|simplePinBlocked
    - evidence/pin/simple-windows|Simple runs are looked for in windows of three characters: 1235 and 1112 are refused, 1122 is accepted.|pinSimple pinAccepted|simplePinBlocked
    - evidence/pin/touch-id-blocked|With "Touch ID instead of PIN: Block", a fingerprint does not open the app.|biometricsBlocked|fingerprintBlocked
    - evidence/pin/wipe-after-attempts|The action for too many attempts may be a wipe of the account's data.|pinRetriesExceededWipes|maximumPinRetries appActionIfMaximumPinRetriesExceeded||unenrollmentSuccess
    - evidence/receiving/all-apps|With Receive "All apps", data from any app is accepted.|receiveAllApps|allowedInboundDataTransferSources|share
    - evidence/receiving/drop-follows-the-policy|Data from an unmanaged app is not accepted by drag and drop either if only managed apps may send.|receiveManagedAppsFromUnmanaged|allowedInboundDataTransferSources|dragAndDrop
    - evidence/receiving/incoming-org-data-accepts-any-app|With "All apps with incoming Org data" on an enrolled device, data from any app is accepted and marked with the enrolled user.|incomingOrgData|allowedInboundDataTransferSources protectInboundDataFromUnknownSources|share
    - evidence/receiving/incoming-org-data-on-unenrolled-devices|On an unenrolled device, "All apps with incoming Org data" acts as "All apps".|receiveAllApps|allowedInboundDataTransferSources protectInboundDataFromUnknownSources|share
    - evidence/receiving/managed-apps-block-unmanaged-apps|With Receive "Policy managed apps", data from an unmanaged app is not accepted.|receiveManagedAppsFromUnmanaged|allowedInboundDataTransferSources|share
    - evidence/receiving/multi-identity-app-that-cannot-switch|If the multi-identity app cannot switch to an unmanaged account, the incoming data is blocked.|receiveManagedAppsFromUnmanaged|allowedInboundDataTransferSources|share
    - evidence/receiving/multi-identity-switches-under-managed-apps|With Receive "Policy managed apps", a multi-identity app is asked to switch to an unmanaged account for unmanaged data.|documentImport|allowedInboundDataTransferSources|share
    - evidence/receiving/multi-identity-switches-under-none|With Receive "None", a multi-identity app is asked to switch to an unmanaged account for unmanaged data.|documentImport|allowedInboundDataTransferSources|share
    - evidence/receiving/no-unmanaged-account-to-switch-to|If no unmanaged account is signed in to the multi-identity app, the incoming data is blocked.|receiveManagedAppsFromUnmanaged documentImport|allowedInboundDataTransferSources|share
    - evidence/receiving/none-includes-managed-apps|With Receive "None", data is not accepted from other policy-managed apps either.|receiveNone|allowedInboundDataTransferSources|share
    - evidence/sending/all-apps-reach-any-app|With "All apps", org data may go to any app.|sendAllApps|allowedOutboundDataTransferDestinations|share
    - evidence/sending/filter-hides-unmanaged-apps|With "Open-In/Share filtering", the dialogs of the system offer policy-managed apps only.|openInFilter|allowedOutboundDataTransferDestinations filterOpenInToOnlyManagedApps|share
    - evidence/sending/managed-apps-encrypt-on-enrolled-devices|With "Policy managed apps", content is also encrypted on an enrolled device whose MDM allows sharing to unmanaged apps.|sendManagedAppsEncrypts|allowedOutboundDataTransferDestinations|share
    - evidence/sending/managed-apps-encrypt-outside-the-sdk|With "Policy managed apps", content that reaches an unmanaged app by Open-in or a share extension on an unenrolled device is encrypted.|sendManagedAppsEncrypts|allowedOutboundDataTransferDestinations|share
    - evidence/sending/managed-apps-reach-managed-apps|With "Policy managed apps", org data may go to other policy-managed apps.|sendManagedAppsToManaged|allowedOutboundDataTransferDestinations|share
    - evidence/sending/none-encrypts-open-in|With "None", a document that the user sends by a managed open-in arrives encrypted and unreadable.|sendNoneEncrypts|allowedOutboundDataTransferDestinations|openIn
    - evidence/sending/none-includes-managed-apps|With "None", org data may not even go to other policy-managed apps.|sendNone|allowedOutboundDataTransferDestinations|share
    - evidence/sending/os-sharing-does-not-pass-the-restriction|With OS sharing, an app that allowOpenFromManagedToUnmanaged excludes gets nothing.|managedOpenInRestriction|allowedOutboundDataTransferDestinations disableProtectionOfManagedOutboundOpenInData allowOpenFromManagedToUnmanaged|share
    - evidence/sending/os-sharing-on-unenrolled-devices|On an unenrolled device, "Policy managed apps with OS sharing" acts as "Policy managed apps".|sendManagedAppsEncrypts|allowedOutboundDataTransferDestinations disableProtectionOfManagedOutboundOpenInData|share
    - evidence/sending/os-sharing-reaches-mdm-apps|With "Policy managed apps with OS sharing" on an enrolled device, files go unencrypted to apps that MDM manages.|osSharing|allowedOutboundDataTransferDestinations disableProtectionOfManagedOutboundOpenInData|openIn
    - evidence/sending/os-sharing-reaches-what-mdm-allows|With OS sharing, unencrypted content reaches every app that allowOpenFromManagedToUnmanaged allows.|osSharing|allowedOutboundDataTransferDestinations disableProtectionOfManagedOutboundOpenInData allowOpenFromManagedToUnmanaged|share
    - evidence/storage/camera-is-not-photos|Selecting Camera does not allow opening from the photo library.|openServiceNotSelected|blockDataIngestionIntoOrganizationDocuments allowedDataIngestionLocations|openFrom
    - evidence/storage/local-storage-is-not-the-files-app|Local Storage does not include unmanaged places such as the Files app.|saveServiceNotOffered|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/storage/open-follows-incoming-org-data|With "All apps with incoming Org data", opening from any location is allowed.||blockDataIngestionIntoOrganizationDocuments allowedInboundDataTransferSources|openFrom
    - evidence/storage/open-follows-receive-all-apps|With Receive "All apps", opening from any location is allowed whatever the setting states.||blockDataIngestionIntoOrganizationDocuments allowedInboundDataTransferSources|openFrom
    - evidence/storage/open-follows-receive-none|With Receive "None", opening is blocked even from a selected service.|receiveNone|blockDataIngestionIntoOrganizationDocuments allowedInboundDataTransferSources|openFrom
    - evidence/storage/open-from-no-service|With "Block" and no service, documents open from no external location.|openServiceNotSelected|blockDataIngestionIntoOrganizationDocuments allowedDataIngestionLocations|openFrom
    - evidence/storage/open-from-selected-service|With "Block" and OneDrive selected, documents open from the account's OneDrive.|openFromSelectedService|blockDataIngestionIntoOrganizationDocuments allowedDataIngestionLocations|openFrom
    - evidence/storage/photo-library-lets-data-in|Selecting Photo Library lets a managed account take data from the photo library.|openFromSelectedService|blockDataIngestionIntoOrganizationDocuments allowedDataIngestionLocations|openFrom
    - evidence/storage/save-follows-send-all-apps|With Send "All apps", saving copies is allowed whatever the setting states.||saveAsBlocked allowedOutboundDataTransferDestinations|saveTo
    - evidence/storage/save-follows-send-none|With Send "None", saving copies is blocked even to a selected service.|sendNone|saveAsBlocked allowedOutboundDataTransferDestinations|saveTo
    - evidence/storage/save-locally-selected|Selecting Local Storage lets a managed app save copies in its own storage.|saveToSelectedService|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/storage/save-to-box|Box can be selected for saving copies.|saveToSelectedService|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/storage/save-to-egnyte|Egnyte can be selected for saving copies.|saveToSelectedService|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/storage/save-to-imanage|iManage can be selected for saving copies.|saveToSelectedService|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/storage/save-to-photo-library-not-selected|Without Photo Library among the selected services, saving to the photo library is blocked.|saveServiceNotSelected|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/storage/save-to-photo-library-selected|Selecting Photo Library lets users save to the phone's photo library.|saveToSelectedService|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/storage/save-with-os-sharing|The setting for saving copies also applies under "Policy managed apps with OS sharing".|saveServiceNotSelected|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/system/siri-needs-all-apps|Siri shortcuts over org data is blocked unless "Send org data to other apps" is "All apps".|systemFeatureBlocked|allowedOutboundDataTransferDestinations|siriIntents
    - evidence/system/siri-with-all-apps|Siri shortcuts over org data is available with "All apps".|sendAllApps|allowedOutboundDataTransferDestinations|siriIntents
    - evidence/system/spotlight-needs-all-apps|Spotlight search over org data is blocked unless "Send org data to other apps" is "All apps".|systemFeatureBlocked|allowedOutboundDataTransferDestinations|spotlight
    - evidence/system/spotlight-with-all-apps|Spotlight search over org data is available with "All apps".|sendAllApps|allowedOutboundDataTransferDestinations|spotlight
    - evidence-open/functions/widgets-by-default|By default, managed apps may save data to widgets.|widgetSyncBlocked|contactSyncBlocked allowWidgetContentSync|widget||||Graph has a Boolean of its own for widgets, allowWidgetContentSync, and does not say that it is true by default; the setting of the page is contactSyncBlocked.|blocked by widgetSyncBlocked|allowed
    - evidence-open/functions/widgets-follow-native-sync|Blocking the sync with native apps also prevents saving data to widgets.|widgetSyncAllowed|contactSyncBlocked allowWidgetContentSync|widget||||Graph has a property of its own for widgets, allowWidgetContentSync, and the SDK's header one for each.|allowed by widgetSyncAllowed|blocked
    - evidence-open/links/dialer-any-must-be-managed|"Any dialer app" stands for any managed dialer app.|dialerAnyApp|dialerRestrictionLevel|openURL||||Graph has the values allApps and managedApps, and the admin centre a separate choice for managed dialers; the 2023 text of the page says any dialer app.|allowed by dialerAnyApp|blocked
    - evidence-open/links/dialer-specific-must-be-managed|"A specific dialer app" stands for a managed dialer app.|dialerSpecificApp|dialerRestrictionLevel customDialerAppProtocol|openURL||||The 2023 text of the same page and Graph's description do not ask for a managed app.|allowed by dialerSpecificApp|blocked
    - evidence-open/links/managed-universal-link-supported-app|A managed universal link opens an app that integrates the SDK; only an app without the SDK gives way to the protected browser.|managedBrowserRequired managedUniversalLink|managedUniversalLinks|universalLink||||The 2023 text of the same page required that an app protection policy applies to the target; the 2025 text speaks of apps that support app protection policies.|blocked by managedBrowserRequired|allowed
    - evidence-open/links/universal-link-under-all-apps|If a policy-managed browser is required, Send decides on universal links, so "All apps" lets them open their app.|managedBrowserRequired|managedBrowser allowedOutboundDataTransferDestinations|universalLink||||The same page describes universal links as exceptions from the protected browser, in lists that exist under "Policy managed apps" only, and does not say that "All apps" excepts every link. Issue 589 reports that links open Edge, and does not state Send.|blocked by managedBrowserRequired|allowed
    - evidence-open/sending/filter-needs-release-8-1-1|"Open-In/Share filtering" needs SDK 8.1.1 in the source app.|openInFilter|allowedOutboundDataTransferDestinations filterOpenInToOnlyManagedApps|share||8.1.1||The program filters from SDK 8.0.2 on, which stage 4 of the developer guide names for the filtering of UIActivityViewController; Learn names 8.1.1 for the policy value.|blocked by openInFilter|encrypted
    - evidence-open/storage/absent-list-of-open-locations|Unless the administrator changes it, all services are selected for opening.|openServiceNotSelected|blockDataIngestionIntoOrganizationDocuments allowedDataIngestionLocations|openFrom||||The default is the admin centre's, which writes the list; Graph states no default for a policy without the property, and the program assumes an empty list.|blocked by openServiceNotSelected|allowed
    - evidence-open/storage/onedrive-choice-covers-sharepoint-online|Selecting OneDrive for work or school also lets users save to SharePoint Online.|saveServiceNotSelected|saveAsBlocked allowedDataStorageLocations|saveTo||||IntuneMAMPolicy.h and Graph have one sharePoint, for SharePoint Online and on premises. Which location an app names for SharePoint Online is its own choice; as oneDriveForBusiness it is allowed. `policy lint` reports the difference (sharePoint).|blocked by saveServiceNotSelected|allowed
    release-note||https://github.com/microsoftconnect/ms-intune-app-sdk-ios/releases/tag/10.0.1|Release notes 10.0.1
    - evidence/clipboard/character-limit-in-10-0-1|SDK 10.0.1 applies the clipboard text length of the policy.|clipboardException|allowedOutboundClipboardSharingLevel allowedOutboundClipboardSharingExceptionLength|clipboard||10.0.1
    - evidence/receiving/switch-reason-since-10-0-1|The SDK tells the app that a document import needs an identity switch, and the app may refuse.|receiveManagedAppsFromUnmanaged|allowedInboundDataTransferSources|share||10.0.1
    documentation|2025-01-06|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-protection-policies-exception|How to create exceptions to the data transfer policy
    - evidence/clipboard/exemptions-do-not-apply|A data transfer exemption for an app does not allow pasting in it.|clipboardManagedAppsToUnmanaged|allowedOutboundClipboardSharingLevel exemptedAppProtocols|clipboard
    - evidence/links/maps-exemption|An exemption of maps lets managed apps open the Maps app.|exemptedScheme|exemptedAppProtocols|openURL
    - evidence/links/other-schemes-stay-restricted|Data transfer stays restricted for unmanaged apps that are not exempt.|unmanagedScheme|exemptedAppProtocols|openURL
    - evidence/links/webex-exemption|An exemption of wbx lets managed apps open Webex links.|exemptedScheme|exemptedAppProtocols|openURL
    documentation||https://learn.microsoft.com/en-us/graph/api/resources/intune-mam-managedappclipboardsharinglevel?view=graph-rest-1.0|managedAppClipboardSharingLevel enum type
    - evidence/clipboard/level-blocked-in-graph|The clipboard level blocked disables sharing between managed apps, too.|clipboardBlocked|allowedOutboundClipboardSharingLevel|clipboard
    documentation||https://developer.apple.com/documentation/uikit/uipasteboard/optionskey/localonly|UIPasteboard.OptionsKey.localOnly
    - evidence/clipboard/local-only|Items with the option localOnly are not available on other devices.|||clipboard
    documentation|2023-02-14|https://learn.microsoft.com/en-us/troubleshoot/mem/intune/app-protection-policies/troubleshoot-cut-copy-paste|Troubleshoot restricting cut, copy, and paste between applications
    - evidence/clipboard/new-document-takes-no-org-data|Text of a managed app cannot be pasted in a new, unsaved document, to which no policy applies, but in a document of a managed location.|clipboardManagedAppsToUnmanaged clipboardManagedApps|allowedOutboundClipboardSharingLevel|clipboard
    documentation||https://learn.microsoft.com/en-us/graph/api/resources/intune-mam-iosmanagedappprotection?view=graph-rest-beta|iosManagedAppProtection resource type, beta
    - evidence/clipboard/no-exception-by-default|With a character limit of 0, the default, no text is excepted from the level.|clipboardManagedAppsToUnmanaged|allowedOutboundClipboardSharingLevel allowedOutboundClipboardSharingExceptionLength|clipboard
    - evidence/launch/app-version-below-the-wipe|An app below the wipe version loses the data of the account.|minimumAppVersionWipes|minimumWipeAppVersion
    - evidence/launch/jailbreak-without-the-requirement|The action for jailbroken devices only applies if device compliance is required.|noAccessRequirement|deviceComplianceRequired appActionIfDeviceComplianceRequired
    - evidence/launch/max-os-equal|A device of exactly the maximum version is not blocked, because only higher versions are.|maximumOSVersionMet|maximumRequiredOsVersion
    - evidence/launch/max-os-warns|A device above the maximum warning version may open the account after a warning.|maximumOSVersionWarns|maximumWarningOsVersion
    - evidence/launch/max-os-wipes|A device above the maximum wipe version loses the data of the account.|maximumOSVersionWipes|maximumWipeOsVersion
    - evidence/pin/previous-pins|A new PIN must differ from the given number of earlier PINs.|pinUsedBefore|previousPinBlockCount
    - evidence-open/launch/app-version-equal-to-the-wipe|An app of exactly the wipe version loses the data of the account, as one below it.|minimumAppVersionWipes|minimumWipeAppVersion||||||allowed by minimumAppVersionMet|blocked
    - evidence-open/launch/os-version-equal-to-the-wipe|A device of exactly the wipe version loses the data of the account, as one below it.|minimumOSVersionWipes|minimumWipeOsVersion||||||allowed by minimumOSVersionMet|blocked
    report|2019-11-20|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/58|Cut Copy Paste integration with outlook?
    - evidence/clipboard/paste-in-out|With "Policy managed with paste in", org data cannot be pasted in an unmanaged app such as Notes.|clipboardPasteInToUnmanaged|allowedOutboundClipboardSharingLevel|clipboard
    maintainer|2020-01-10|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/58|Cut Copy Paste integration with outlook?
    - evidence/clipboard/paste-in-personal-account|Org data cannot be pasted for a personal account of the same multi-identity app; Outlook 4.19.0 fixed the opposite.|clipboardPasteInToUnmanaged|allowedOutboundClipboardSharingLevel|clipboard
    release-note||https://github.com/microsoftconnect/ms-intune-app-sdk-ios/releases/tag/11.1.2|Release notes 11.1.2
    - evidence/clipboard/receive-does-not-clear-the-pasteboard|An unrestricted clipboard stays usable if Receive is limited to managed apps.|clipboardAllApps|allowedOutboundClipboardSharingLevel allowedInboundDataTransferSources|clipboard||11.1.2
    report|2021-10-19|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/208|Restrict cut, copy, and paste between other apps not working for TextFields
    - evidence/clipboard/same-app-search-field|With "Policy managed with paste in", text copied in a managed app can be pasted in a text field of the same app.|clipboardSameIdentity|allowedOutboundClipboardSharingLevel|clipboard
    maintainer|2022-05-12|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/240|How to implement IntuneMAMWebViewPolicy for a React Native app
    - evidence/clipboard/text-in-web-view-to-notes|Text copied from a managed web view cannot be pasted in Notes under "Policy managed apps".|clipboardManagedAppsToUnmanaged|allowedOutboundClipboardSharingLevel|clipboard
    documentation||https://support.apple.com/en-us/102430|Use Universal Clipboard to copy and paste between your Apple devices
    - evidence/clipboard/universal-clipboard-other-account|Devices of different Apple Accounts do not share the pasteboard.|||clipboard
    - evidence/clipboard/universal-clipboard|Devices of one Apple Account share the pasteboard.|||clipboard
    documentation|2026-03-24|https://learn.microsoft.com/en-us/entra/identity/conditional-access/concept-conditional-access-grant|Conditional Access: Grant
    - evidence/conditional-access/all-selected-controls|"Require all the selected controls" refuses a protected app on a device that is not compliant.|grantControlMissing|||newPoliciesReceived
    - evidence/conditional-access/block|"Block access" refuses even an app with a policy.|conditionalAccessBlocks|||newPoliciesReceived
    - evidence/conditional-access/compliant-device-is-registered|A device must be registered in Microsoft Entra before it can be marked as compliant.|grantControlMissing
    - evidence/conditional-access/compliant-device|A registered device that Intune marks as compliant gets a token.|grantControlsMet
    - evidence/conditional-access/one-selected-control|"Require one of the selected controls" admits a protected app on a device that is not compliant.|protectionApplied|||newPoliciesReceived
    documentation|2024-11-18|https://learn.microsoft.com/en-us/intune/intune-service/developer/app-sdk-ios-phase6|Intune App SDK for iOS, stage 6, App Protection CA support
    - evidence/conditional-access/app-without-the-sdk|An app without the SDK gets no token under the requirement.
    - evidence/conditional-access/capability|The app must declare the capability protapp to MSAL, or it gets no token.|protectionNotDeclared|||newPoliciesReceived
    - evidence/conditional-access/no-token-before-the-policy|Under "Require app protection policy", an app gets no token before it has a policy.|protectionRequired
    - evidence/conditional-access/not-required|Without such a policy, an app gets its token before it has a policy.|tokenUnconditional
    - evidence/conditional-access/token-after-remediation|After the remediation, the app gets its token.|protectionApplied|||compliant
    documentation|2026-03-24|https://learn.microsoft.com/en-us/entra/identity/conditional-access/migrate-approved-client-app|Migrate approved client app to application protection policy in Conditional Access
    - evidence/conditional-access/approved-app-is-retired|Since July 2026, "Require approved client app" is not enforced, as if it was not selected.|grantControlsMet|||newPoliciesReceived
    - evidence/conditional-access/approved-app-or-app-protection|"Require one of the selected controls" with an approved app and an app protection policy admits an app with a policy.|protectionRequired protectionApplied|||newPoliciesReceived
    documentation|2023-07-07|https://learn.microsoft.com/en-us/entra/identity/conditional-access/concept-conditional-access-policies|Building a Conditional Access policy
    - evidence/conditional-access/block-beside-a-satisfied-policy|A policy that blocks access ends the evaluation, even if another policy is satisfied.|conditionalAccessBlocks|||newPoliciesReceived
    - evidence/conditional-access/every-assignment-must-match|A policy applies only if all of its assignments match: with the right platform but another model, it does not.|tokenUnconditional
    - evidence/conditional-access/every-client-app-by-default|Without a condition on client apps, a policy applies to apps, too.|conditionalAccessBlocks
    - evidence/conditional-access/every-policy-must-be-satisfied|If several policies apply, all of them must be satisfied.|grantControlMissing|||newPoliciesReceived
    maintainer|2023-07-21|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/353|My app isn't recognized for "Require app protection policy"
    - evidence/conditional-access/capability-by-the-maintainer|An app of one's own must name protapp in its MSAL configuration to pass "Require app protection policy".|protectionApplied protectionNotDeclared|||newPoliciesReceived
    header|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/blob/main/IntuneMAMSwift.xcframework/ios-arm64/IntuneMAMSwift.framework/Headers/IntuneMAMComplianceManager.h|IntuneMAMComplianceManager.h, release 21.7.1
    - evidence/conditional-access/continues-after-the-restart|If the app restarts during the remediation, the SDK continues at the next launch.||||compliant
    - evidence/conditional-access/enrolls|Remediation enrolls the account.||||newPoliciesReceived
    - evidence/conditional-access/interaction-required|A silent remediation that needs the user ends with "interaction required".||||interactionRequired
    - evidence/conditional-access/network-failure|Without a connection, the compliance status is a network failure.||||networkFailure
    - evidence/conditional-access/queue|Remediation takes one account after the other.|remediationBegun remediationQueued
    - evidence/conditional-access/repeated-calls|Repeated calls for an account that is being remediated are dropped.|remediationUnderWay
    - evidence/conditional-access/user-cancelled|A remediation that the user cancels ends with "user cancelled".||||userCancelled
    documentation||https://learn.microsoft.com/en-us/graph/api/resources/conditionalaccesspolicy|conditionalAccessPolicy resource type
    - evidence/conditional-access/disabled|A disabled policy is not enforced.|tokenUnconditional
    device-log|2026-05-28|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/666|iOS MSAL + Intune MAM: AADSTS53005 remediation flow ends with `MSALErrorDomain -50000`
    - evidence/conditional-access/error-50004|Without the app's protection, MSAL answers with the error "server protection policies required", -50004.|protectionRequired
    documentation|2023-07-17|https://learn.microsoft.com/en-us/entra/identity/conditional-access/concept-conditional-access-conditions|Conditional Access: Conditions
    - evidence/conditional-access/every-platform|Without a platform condition, a policy applies to every platform.|conditionalAccessBlocks
    - evidence/conditional-access/other-platform|A policy for Android devices does not apply to an iPhone.|tokenUnconditional
    documentation||https://learn.microsoft.com/en-us/graph/api/resources/conditionalaccessapplications|conditionalAccessApplications resource type
    - evidence/conditional-access/excluded-application|A policy for all applications does not apply to an application that it excludes.|tokenUnconditional
    documentation|2025-03-12|https://learn.microsoft.com/en-us/entra/identity/conditional-access/concept-conditional-access-report-only|Analyze Conditional Access Policy Impact
    - evidence/conditional-access/excluded-user|A policy does not apply to a user whom it excludes.|tokenUnconditional protectionRequired
    - evidence/conditional-access/report-only|A policy in report-only mode is evaluated and not enforced.|tokenUnconditional
    documentation|2025-04-08|https://learn.microsoft.com/en-us/entra/identity/conditional-access/concept-condition-filters-for-devices|Conditional Access: Filter for devices
    - evidence/conditional-access/filter-contains-of-a-collection|For a collection such as systemLabels, contains compares whole strings.|tokenUnconditional
    - evidence/conditional-access/filter-contains-of-a-string|For a string such as model, contains looks for a part of it.|conditionalAccessBlocks
    - evidence/conditional-access/filter-example-of-saw-devices|A policy that excludes devices whose attribute is not SAW applies to a SAW device that Intune manages.|conditionalAccessBlocks
    - evidence/conditional-access/filter-excludes-a-system-version|A policy that excludes devices by the beginning of their system version does not apply to them.|tokenUnconditional
    - evidence/conditional-access/filter-extension-attributes|extensionAttribute1 to 15 have values only on a device that Intune manages, that is compliant or that is hybrid joined.|conditionalAccessBlocks
    - evidence/conditional-access/filter-in|The operator in compares with each string of a list.|conditionalAccessBlocks
    - evidence/conditional-access/filter-negative-operator|On an unregistered device, a filter with a negative operator applies.|conditionalAccessBlocks
    - evidence/conditional-access/filter-not-contains|The operator notContains holds if the string does not occur in the attribute.|conditionalAccessBlocks
    - evidence/conditional-access/filter-ownership|A filter for personal devices applies to a registered personal device.|conditionalAccessBlocks
    - evidence/conditional-access/filter-positive-operator|On an unregistered device, a filter with a positive operator does not apply.|tokenUnconditional
    - evidence/conditional-access/filter-profile-type|A registered device has the profile type RegisteredDevice by default.|tokenUnconditional
    - evidence/conditional-access/filter-trust-type|A registered device that is not joined has the trust type Workplace.|conditionalAccessBlocks
    report|2021-06-24|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/180|RemediateCompliance is failing with a conditional access
    - evidence/conditional-access/remediation-without-a-cached-account|If MSAL has no account for a silent request, remediation ends with "interaction required", and the enrollment with status 203.||||authRequired interactionRequired
    maintainer||https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/353|My app isn't recognized for "Require app protection policy"
    - evidence/conditional-access/untargeted-user|A user without a policy stays non-compliant, so the app never gets a token.|protectionRequired|||notCompliant
    documentation|2025-06-12|https://learn.microsoft.com/en-us/intune/developer/app-sdk/ios-phase-4|Intune App SDK for iOS, stage 4, App participation features
    - evidence/configuration/allowed-account-any-case|Allowed accounts are compared without case, by name and by object id.|accountAllowed|IntuneMAMAllowedAccountsOnly IntuneMAMUPN IntuneMAMOID
    - evidence/extensions/example-after-the-update|A rule with the types in both forms is offered for managed content.
    - evidence/extensions/example-before-the-update|A rule with public types is not offered for managed content.
    - evidence/extensions/example-of-open-in-unmanaged|The rule of an Open-In extension is not offered for unmanaged content.
    - evidence/extensions/example-of-open-in|The rule of an Open-In extension for text and images takes one managed image.
    - evidence/functions/screen-capture-follows-send-in-version-19|SDK 19.7.6 blocks screen capture unless Send is "All apps".|screenCaptureFollowsSend|allowedOutboundDataTransferDestinations|screenCapture||19.7.6
    - evidence/functions/screen-capture-follows-send|Since SDK 19.7.6 and 20.2.1, screen capture is blocked unless Send is "All apps".|screenCaptureFollowsSend|allowedOutboundDataTransferDestinations|screenCapture||20.2.1
    - evidence/functions/screen-capture-with-all-apps|With Send "All apps", screen capture stays possible.||allowedOutboundDataTransferDestinations|screenCapture||20.2.1
    header|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/blob/main/IntuneMAMSwift.xcframework/ios-arm64/IntuneMAMSwift.framework/Headers/IntuneMAMEnrollmentManager.h|IntuneMAMEnrollmentManager.h, release 21.7.1
    - evidence/configuration/allowed-account-by-object-id|An allowed account may be named by its object id.|accountAllowed|IntuneMAMAllowedAccountsOnly IntuneMAMOID
    - evidence/configuration/existing-accounts-signed-out|Accounts that are signed in and not allowed are signed out.|accountNotSignedIn|IntuneMAMAllowedAccountsOnly
    - evidence/configuration/not-before-enrollment|An app gets its configuration only after the enrollment.||||enrollmentEndPointNetworkFailure
    - evidence/enrollment/extension-is-223|An extension cannot enroll an account, status 223.|||share
    - evidence/enrollment/states-survive-a-restart|A failed enrollment is repeated after a restart of the device.||||enrollmentEndPointNetworkFailure
    - evidence/enrollment/unmanaged-before-enrollment|No policy applies before the enrollment succeeds.||printBlocked|print|enrollmentEndPointNetworkFailure
    - evidence/wipe/unenroll-with-wipe|Unenrolling an account with wipe removes its data.||||unenrollmentSuccess
    - evidence/wipe/unenroll-without-wipe|Unenrolling an account without wipe keeps its files.||||unenrollmentSuccess
    - evidence-open/enrollment/every-failure-retried-after-24-hours|A failed enrollment is repeated every 24 hours.||||accountNotLicensed|||Learn, "Understand app protection policy delivery timing": 12 hours for users without a licence or a policy.|expected state waiting, found state enrolled
    - evidence-open/enrollment/second-registration-ignored|A second registration is ignored with a warning.||||newPoliciesReceived|||IntuneMAMEnrollmentStatus.h of the same release has status 208 for an app that is enrolled already.|expected end refused, found end failed|blocked
    documentation|2020-07-13|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-configuration-policies-use-ios|Add app configuration policies for managed iOS/iPadOS devices
    - evidence/configuration/allowed-account|With IntuneMAMAllowedAccountsOnly = Enabled, the account that IntuneMAMUPN names may sign in.|accountAllowed|IntuneMAMAllowedAccountsOnly IntuneMAMUPN
    - evidence/configuration/allowed-accounts-any-case|The value Enabled is read without case.|accountNotAllowed|IntuneMAMAllowedAccountsOnly
    - evidence/configuration/allowed-accounts-other-value|With any other value, every account may sign in.||IntuneMAMAllowedAccountsOnly
    - evidence/configuration/other-account-refused|With IntuneMAMAllowedAccountsOnly = Enabled, no other account may sign in.|accountNotAllowed|IntuneMAMAllowedAccountsOnly
    - evidence/configuration/tokens|MDM replaces the token {{userprincipalname}} with the user's name.||||newPoliciesReceived
    documentation|2024-04-16|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-configuration-policies-managed-app|App configuration policies for Intune App SDK managed apps
    - evidence/configuration/any-enrollment-state|A configuration for managed apps reaches an app on an enrolled device, too.||||newPoliciesReceived
    - evidence/configuration/tokens-in-managed-apps|In a configuration for managed apps, Intune replaces tokens such as {{mail}}.||||newPoliciesReceived
    header|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/blob/main/IntuneMAMSwift.xcframework/ios-arm64/IntuneMAMSwift.framework/Headers/IntuneMAMAppConfig.h|IntuneMAMAppConfig.h, release 21.7.1
    - evidence/configuration/booleans|Conflicting booleans can be asked for with or and with and.||||newPoliciesReceived
    - evidence/configuration/conflict|Two targeted configurations with different values of a key conflict.||||newPoliciesReceived
    - evidence/configuration/default-alone|A value of the tenant's default is returned if no targeted configuration has the key.||||newPoliciesReceived
    - evidence/configuration/default-does-not-conflict|The tenant's default does not conflict with a single targeted value.||||newPoliciesReceived
    - evidence/configuration/identical-values|Identical values of several configurations do not conflict.||||newPoliciesReceived
    - evidence/configuration/mdm-and-service-conflict|A value of the service and another one of MDM for the same key conflict.||||newPoliciesReceived
    - evidence/configuration/missing-key|A key that no configuration has has neither a value nor a conflict.||||newPoliciesReceived
    - evidence/configuration/numbers|Conflicting numbers can be asked for with min and max.||||newPoliciesReceived
    - evidence/configuration/strings|Conflicting strings can be asked for with min and max.||||newPoliciesReceived
    - evidence/configuration/targeted-before-default|A targeted value takes precedence over the tenant's default.||||newPoliciesReceived
    documentation|2024-11-21|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-configuration-policies-overview|App configuration policies for Microsoft Intune
    - evidence/configuration/check-in-with-a-policy|An app with a configuration and a policy checks in every 30 minutes.||||newPoliciesReceived policiesHaveNotChanged
    - evidence/configuration/check-in-without-a-policy|An app with a configuration and without a policy checks in every 720 minutes.||||newPoliciesReceived
    documentation|2024-11-20|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-configuration-policies-use-ios|Add app configuration policies for managed iOS/iPadOS devices
    - evidence/configuration/keys-are-case-sensitive|Keys of a configuration are case-sensitive.||||newPoliciesReceived
    - evidence/configuration/other-value-allows-any|A value of IntuneMAMAllowedAccountsOnly other than Enabled allows any account.||IntuneMAMAllowedAccountsOnly
    - evidence/configuration/token-issupervised|MDM replaces the token {{issupervised}}.||||newPoliciesReceived
    - evidence/configuration/token-mail|MDM replaces the token {{mail}}.||||newPoliciesReceived
    - evidence/configuration/token-partialupn|MDM replaces the token {{partialupn}}.||||newPoliciesReceived
    - evidence/configuration/token-serialnumber|MDM replaces the token {{serialnumber}}.||||newPoliciesReceived
    - evidence/configuration/token-serialnumberlast4digits|MDM replaces the token {{serialnumberlast4digits}}.||||newPoliciesReceived
    - evidence/configuration/token-userid|MDM replaces the token {{userid}}.||||newPoliciesReceived
    - evidence/configuration/token-username|MDM replaces the token {{username}}.||||newPoliciesReceived
    - evidence/receiving/require-accounts|With IntuneMAMRequireAccounts = Enabled, an app without its work account does not receive org data from another managed app.|workAccountRequired|IntuneMAMRequireAccounts|share||12.3.3
    header|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/blob/main/IntuneMAMSwift.xcframework/ios-arm64/IntuneMAMSwift.framework/Headers/IntuneMAMAppConfigManager.h|IntuneMAMAppConfigManager.h, release 21.7.1
    - evidence/configuration/mdm-values-for-the-enrolled-user|MDM's values come only for the user who enrolled the device.||||newPoliciesReceived
    report|2026-09-14|https://github.com/netbirdio/ios-client/pull/227|Deliver the MDM policy to the network extension through the App Group
    - evidence/configuration/mdm-values-not-for-extensions|MDM delivers an app configuration to the user defaults of the managed app only, so its network extension reads none.
    documentation|2024-10-21|https://github.com/apple/device-management/blob/release/mdm/commands/settings.yaml|Settings (ApplicationConfiguration)
    - evidence/configuration/mdm-withdraws-values|MDM removes an app configuration by a setting without one.
    - evidence-open/configuration/mdm-setting-fails-for-declared-apps|The MDM setting ApplicationConfiguration fails for an app that declarations manage.||||||||expected reason managedAppNothingSet, found reason managedAppProvides
    release-note||https://github.com/microsoftconnect/ms-intune-app-sdk-ios/releases/tag/7.0.1|Release notes 7.0.1
    - evidence/configuration/service-needs-7-0-1|An SDK before 7.0.1 gets no configuration from the service.||||newPoliciesReceived|7.0.1
    maintainer|2025-03-04|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/537|Alert when signing in to different account
    - evidence/enrollment/account-changes-after-deregistering|If the app deregisters the account at sign-out, another account signs in without a choice between the two.|singleManagedAccount|||newPoliciesReceived singleManagedAccountMode
    documentation|2024-10-14|https://learn.microsoft.com/en-us/intune/intune-service/developer/app-sdk-ios-appendix|Intune App SDK for iOS, appendix
    - evidence/enrollment/admin-wipe-unenrolls|A selective wipe by the administrator deregisters and unenrolls the user.||||newPoliciesReceived
    - evidence/enrollment/retries-stop-after-an-enrollment|The SDK stops repeating failed enrollments once another user of the app is enrolled.||||newPoliciesReceived licensedNotTargeted
    - evidence-open/enrollment/updates-every-8-hours|An enrolled app checks for policy updates every 8 hours.||||newPoliciesReceived|||Learn, "Understand app protection policy delivery timing" (2024-05-20): typically 30 minutes.|expected enrollment 100 newPoliciesReceived, found enrollment 101 policiesHaveNotChanged
    header|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/blob/main/IntuneMAMSwift.xcframework/ios-arm64/IntuneMAMSwift.framework/Headers/IntuneMAMEnrollmentStatus.h|IntuneMAMEnrollmentStatus.h, release 21.7.1
    - evidence/enrollment/already-enrolled-is-208|The status of an app that is enrolled already is 208.||||newPoliciesReceived alreadyEnrolled
    - evidence/enrollment/cancelled-login-is-219|A login prompt that the user cancels has status 219.||||loginCanceled
    - evidence/enrollment/credentials-needed-is-203|If the user must sign in again, the status is 203.||||authRequired
    - evidence/enrollment/device-account-is-211|If the account is not the account of the device, the status is 211.||||notDeviceAccount
    - evidence/enrollment/emm-account-is-209|If the EMM names another account, the status is 209.||||notEmmAccount
    - evidence/enrollment/new-policy-is-100|The first policy has status 100.||||newPoliciesReceived
    - evidence/enrollment/no-identity-is-207|A registration without an identity has status 207.||||nilAccount
    - evidence/enrollment/not-enrolled-is-213|A check-in in an app that is not enrolled has status 213.||||appNotEnrolled
    - evidence/enrollment/offline-is-205|If the enrollment endpoint cannot be reached, the status is 205.||||enrollmentEndPointNetworkFailure
    - evidence/enrollment/one-managed-account-is-227|An app with one managed account refuses another one, status 227.|singleManagedAccount|||newPoliciesReceived singleManagedAccountMode
    - evidence/enrollment/other-account-is-214|A check-in of another account than the enrolled one has status 214.||||newPoliciesReceived notEnrolledAccount
    - evidence/enrollment/other-mdm-user-is-210|If the device is enrolled in MDM for another user, the status is 210.||||mdmEnrolledDifferentUser
    - evidence/enrollment/timeout-is-216|A request that times out has status 216.||||timeout
    - evidence/enrollment/unchanged-policy-is-101|A check-in without a change has status 101.||||newPoliciesReceived policiesHaveNotChanged
    - evidence/enrollment/unenrolled-is-104|Unenrollment has status 104.||||newPoliciesReceived unenrollmentSuccess
    - evidence/enrollment/unlicensed-is-200|A user without a licence has status 200.||||accountNotLicensed
    - evidence/enrollment/untargeted-is-225-in-the-header|Status 225 means that no policy targets the licensed user.||||licensedNotTargeted
    - evidence/enrollment/withdrawn-policy-is-103|A check-in of a user without a policy has status 103.||||newPoliciesReceived noPolicyReceived
    - evidence/identity/one-managed-account|Without MultiManagedIdentities, an app takes one managed account, and another one ends with status 227.|singleManagedAccount|||singleManagedAccountMode
    - evidence/wipe/status-102|A check-in that brings a wipe has status 102.||||wipeReceived
    documentation|2024-05-20|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-protection-policy-delivery|Understand app protection policy delivery timing
    - evidence/enrollment/app-not-in-the-policy|A user whose policies do not name the app is asked for again after 12 hours.||||licensedNotTargeted
    - evidence/enrollment/registers-again-after-90-days|An app that did not check in for 90 days registers the account again at the next launch.||||newPoliciesReceived
    header|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/blob/main/IntuneMAMSwift.xcframework/ios-arm64/IntuneMAMSwift.framework/Headers/IntuneMAMPolicyDelegate.h|IntuneMAMPolicyDelegate.h, release 21.7.1
    - evidence/enrollment/app-restarts-itself|An app may restart itself; until then, it runs without the policy.
    - evidence/enrollment/restart-for-the-first-policy|The app restarts when it gets a policy for the first time.
    - evidence/identity/app-may-refuse-the-switch|An app may answer that a switch of identity failed.|identitySwitchRefused|printBlocked|openURL print
    - evidence/identity/forced-exit-after-a-refused-block|If an app refuses to hide an account whose conditional launch was cancelled, the SDK forces it to exit.|pinNotSet|pinRequired
    - evidence/web-views/external-page|A page that the app calls external is treated as unmanaged.|webViewUnmanaged sendManagedAppsToUnmanaged|allowedOutboundDataTransferDestinations|webView
    - evidence/wipe/app-deletes|An app may delete the account's data itself in wipeDataForAccountId:.||||unenrollmentSuccess
    - evidence/wipe/false-answer|The app answers FALSE if it could not wipe everything, and the data is deleted all the same.
    documentation|2024-10-14|https://learn.microsoft.com/en-us/intune/intune-service/developer/app-sdk-ios-phase3|Intune App SDK for iOS, stage 3, SDK integration into your iOS app
    - evidence/enrollment/auto-enroll-without-a-managed-identity|AutoEnrollOnLaunch does nothing if no managed account is known.
    - evidence/enrollment/auto-enroll-without-a-token|Without a token, AutoEnrollOnLaunch fails without a prompt, and the app runs without a policy.
    - evidence/enrollment/deregistering-ends-the-retries|After an account is deregistered, its enrollment is not repeated.||||licensedNotTargeted
    - evidence/enrollment/deregistering-removes-the-policy|After an account is deregistered, its policy no longer applies.||printBlocked|print|newPoliciesReceived
    - evidence/enrollment/nil-identity-under-mdm|On an MDM device, a login without an identity enrolls the user of the device.|enrollmentAsked|||newPoliciesReceived
    - evidence/enrollment/policy-required-prompts|With MAMPolicyRequired as well, the user is asked for credentials at launch.
    - evidence/enrollment/policy-warn-absent|With MAMPolicyWarnAbsent, the app runs without a policy after a warning.||printBlocked|print
    header|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/blob/main/IntuneMAMSwift.xcframework/ios-arm64/IntuneMAMSwift.framework/Headers/IntuneMAMSettings.h|IntuneMAMSettings.h, release 21.7.1
    - evidence/enrollment/auto-enroll|With AutoEnrollOnLaunch, an account that another app of the publisher has enrolled is enrolled at launch.
    - evidence/identity/several-managed-accounts|With MultiManagedIdentities, an app may have several managed accounts, each with its own policy.|printingBlocked printingAllowed|printBlocked|print
    - evidence/identity/single-identity-cannot-switch|Without MultiIdentity in the settings, an app cannot switch to another identity.|notMultiIdentity
    documentation|2023-06-12|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-protection-policy-delivery|Understand app protection policy delivery timing
    - evidence/enrollment/changes-seen-within-30-minutes|A change of a policy reaches a running app at the next check-in after 30 minutes.|printingBlocked printingAllowed|printBlocked|print|newPoliciesReceived
    - evidence/enrollment/check-in-every-30-minutes|A user with a policy checks in every 30 minutes while the app runs.||||newPoliciesReceived policiesHaveNotChanged
    - evidence/enrollment/network-retry-within-an-hour|After a network failure, the SDK asks again within 60 minutes.||||enrollmentEndPointNetworkFailure
    - evidence/enrollment/retry-when-the-app-is-used|Requests that are due happen when the app is in use.||||accountNotLicensed
    - evidence/enrollment/tenant-retry-24-hours|A tenant that is not set up is asked for again after 24 hours.||||mamServiceDisabled
    - evidence/enrollment/unlicensed-retry-12-hours|An unlicensed user is asked for again after 12 hours.||||accountNotLicensed
    - evidence/enrollment/untargeted-retry-12-hours|A user without a policy is asked for again after 12 hours.||||licensedNotTargeted
    maintainer|2019-07-31|https://github.com/MicrosoftDocs/IntuneDocs/pull/2634|Remove notes about app config prerequisite
    - evidence/enrollment/configuration-alone|A configuration for managed apps enrolls a user without a policy.||||newPoliciesReceived
    report|2022-10-02|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/278|registerAndEnrollAccountId and deRegisterAndUnenrollAccountId succeeds with failure notification
    - evidence/enrollment/failed-account-stays-registered|After an enrollment that ends with 203, the account stays registered.||||authRequired
    maintainer|2025-05-15|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/561|Question: Is it possible to have the app not restart?
    - evidence/enrollment/hooks-start-with-the-restart|Without MDM's user, enforcement starts with the restart.|printingBlocked|printBlocked|print
    - evidence/enrollment/no-restart-with-the-upn|On an MDM device, an app with IntuneMAMUPN needs no restart for its first policy.|printingBlocked|printBlocked IntuneMAMUPN|print
    documentation|2021-12-16|https://learn.microsoft.com/en-us/intune/intune-service/apps/data-transfer-between-apps-manage-ios|How to manage data transfer between iOS apps in Microsoft Intune
    - evidence/enrollment/mdm-user-is-enrolled|The user that IntuneMAMUPN names is enrolled.||IntuneMAMUPN||newPoliciesReceived
    - evidence/sending/filter-shows-managed-apps|With "Open-In/Share filtering", policy-managed apps remain available.|sendManagedAppsToManaged|allowedOutboundDataTransferDestinations filterOpenInToOnlyManagedApps|share
    - evidence/sending/os-sharing-needs-the-upn|OS sharing works only if the sending app has the enrolled user configured as IntuneMAMUPN.|sendManagedAppsEncrypts|allowedOutboundDataTransferDestinations disableProtectionOfManagedOutboundOpenInData IntuneMAMUPN|share
    - evidence/sending/os-sharing-receiver-needs-no-upn|IntuneMAMUPN is optional in the app that receives data under OS sharing.|osSharing|allowedOutboundDataTransferDestinations disableProtectionOfManagedOutboundOpenInData IntuneMAMUPN|share
    documentation|2025-01-16|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-protection-policies|How to create and assign app protection policies
    - evidence/enrollment/new-file-is-personal|A new file is personal until it belongs to the work account.|fileBegins|appDataEncryptionType
    - evidence/targeting/device-id-alone-is-unmanaged|If only IntuneMAMDeviceID is configured, the device counts as unmanaged.|printingAllowed|printBlocked|print
    - evidence/targeting/keys-sent-automatically|Since the service release 2409, Intune sends IntuneMAMUPN to managed Excel, Outlook, PowerPoint, Teams and Word on its own.|printingBlocked|printBlocked IntuneMAMUPN|print
    - evidence/targeting/no-key-is-unmanaged|Without IntuneMAMUPN, a device counts as unmanaged, even if MDM manages it.|printingAllowed|printBlocked IntuneMAMUPN|print
    - evidence/targeting/upn-and-oid|IntuneMAMUPN and IntuneMAMOID make the policy for managed devices apply.|printingBlocked|printBlocked IntuneMAMUPN IntuneMAMOID|print
    maintainer|2020-12-08|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/125|MS Intunes integration for React Native and client impact
    - evidence/enrollment/next-account-after-deregistering|After a managed account is deregistered, its policy does not affect another account that signs in.|printingBlocked noRuleApplied||print|newPoliciesReceived
    - evidence/enrollment/policy-applies-once-targeted|The SDK repeats the enrollment of a user whom no policy targets, and the policy applies once one does.|printingBlocked||print|newPoliciesReceived licensedNotTargeted
    report|2023-08-28|https://github.com/microsoftconnect/ms-intune-app-sdk-android/issues/173|Enrollment behavior when no policies are applied is different as compared to iOS
    - evidence/enrollment/nothing-targeted-on-ios|On iOS, a user whom neither a policy nor a configuration targets is not enrolled.||||licensedNotTargeted
    report|2018-08-27|https://github.com/MicrosoftDocs/IntuneDocs/issues/1394|Misconfiguration Alert
    - evidence/enrollment/other-account-removed-for-the-mdm-user|On a device that MDM assigns to one account, the account of another user is removed from the app.||||newPoliciesReceived unenrollmentSuccess
    report|2019-09-16|https://github.com/MicrosoftDocs/IntuneDocs/issues/2941|Multi identity does not work as described on applications with newer Intune SDK
    - evidence/enrollment/other-user-on-an-mdm-device|On a device with an MDM user, no other user of the organization is enrolled in a managed app.||||mdmEnrolledDifferentUser
    report|2019-08-29|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/46|Enforce Intune MAM App Protection Policy
    - evidence/enrollment/policy-required|With MAMPolicyRequired, an app without a policy does not start.
    documentation|2023-12-09|https://learn.microsoft.com/en-us/intune/intune-service/developer/app-sdk-ios-phase5|Intune App SDK for iOS, stage 5, Multi-identity
    - evidence/enrollment/second-user-refused|With one managed account, registering a second account of the organization fails.|singleManagedAccount|||newPoliciesReceived
    - evidence/identity/managed-file-encrypted|A file of the managed account is encrypted, one of a personal account is not.|fileStoredEncrypted fileBegins|appDataEncryptionType
    - evidence/identity/multi-identity-starts-unmanaged|A multi-identity app names the identity itself; until then, it is unmanaged.||printBlocked|print
    - evidence/identity/owner-at-creation|A file belongs to the identity that was set when the file was created.||appDataEncryptionType
    - evidence/identity/single-identity-acts-for-its-account|A single-identity app counts as managed as soon as its account is enrolled.|printingBlocked|printBlocked|print
    - evidence/identity/thread-before-window-before-process|The identity of the thread takes precedence over that of the window, and this one over that of the process.|printingBlocked|printBlocked|print
    - evidence/identity/url-from-a-managed-account|Before a URL opens that a managed account sent, the app is asked to switch to that account.|managedScheme printingBlocked|printBlocked|openURL print
    - evidence/identity/window-identity-owns-no-file|The UI identity does not apply to files; a file gets the identity of the thread or of the process.|fileStoredEncrypted fileBegins|appDataEncryptionType
    - evidence/identity/window-identity|The UI identity decides which policy applies to what the user does in a window.|printingBlocked|printBlocked|print
    - evidence/receiving/managed-identity-imports-from-managed-app|A managed account can import from another managed app.|receiveManagedAppsFromManaged|allowedInboundDataTransferSources|import
    - evidence/receiving/managed-identity-imports-from-unmanaged-app|With Receive "Policy managed apps", a managed account cannot import from an unmanaged app.|receiveManagedAppsFromUnmanaged|allowedInboundDataTransferSources|import
    - evidence/receiving/unmanaged-identity-imports-from-managed-app|An unmanaged account of a multi-identity app cannot import from a managed app.|sendManagedAppsToUnmanaged|allowedOutboundDataTransferDestinations|import
    - evidence/receiving/unmanaged-identity-imports-from-unmanaged-app|An unmanaged account can always import from an unmanaged app.||allowedOutboundDataTransferDestinations allowedInboundDataTransferSources|import
    - evidence/receiving/unmanaged-identity-receives-from-managed-app|An unmanaged account of a multi-identity app does not receive data that a managed app sends.|sendManagedAppsToUnmanaged|allowedOutboundDataTransferDestinations|share
    - evidence/sending/managed-apps-block-unmanaged-apps|With "Policy managed apps", a managed identity cannot send to an unmanaged app.|sendManagedAppsToUnmanaged|allowedOutboundDataTransferDestinations|share
    - evidence/sending/managed-identity-to-managed-app|With Send and Receive "Policy managed apps", a managed account can send to a managed app.|sendManagedAppsToManaged|allowedOutboundDataTransferDestinations allowedInboundDataTransferSources|share
    - evidence/sending/unmanaged-identity-to-managed-app|With Send and Receive "Policy managed apps", an unmanaged account cannot send to a managed app.|receiveManagedAppsFromUnmanaged|allowedInboundDataTransferSources|share
    - evidence/sending/unmanaged-identity-to-unmanaged-app|An unmanaged account can always send to an unmanaged app.||allowedOutboundDataTransferDestinations allowedInboundDataTransferSources|share
    - evidence/wipe/keychain-items|A wipe also removes the account's items in the app's keychain.
    - evidence/wipe/sdk-deletes-if-the-app-does-not|If the app does not wipe the data itself, the SDK deletes the files of the account.||||unenrollmentSuccess
    documentation|2022-05-12|https://learn.microsoft.com/en-us/troubleshoot/mem/intune/app-protection-policies/troubleshoot-app-protection-policy-deployment|Troubleshooting app protection policy deployment in Intune
    - evidence/enrollment/signing-in-again-gets-changes|A user who signs out of the app and in again gets a changed policy immediately.|printingBlocked printingAllowed||print
    documentation|2019-11-18|https://learn.microsoft.com/en-us/intune/intune-service/fundamentals/end-user-mam-apps-ios|What to expect when your iOS/iPadOS app is managed by app protection policies
    - evidence/enrollment/unmanaged-accounts-are-not-limited|A policy does not limit the number of unmanaged accounts.
    - evidence/pin/word-asks-for-org-documents|In an app that opens org and personal documents, the PIN is asked when an org document is opened.|pinNotSet|pinRequired|print
    - evidence-open/enrollment/second-managed-account-replaces-the-first|If a user adds a second managed account, the user chooses, and the other account is removed.|singleManagedAccount||||||IntuneMAMEnrollmentStatus.h has both 218, the existing account is removed first, and 227, only a single managed account is allowed.|expected verdict allowed, found verdict blocked|allowed
    maintainer|2022-10-18|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/281|MAM policy issue
    - evidence/enrollment/untargeted-is-225|An account that is licensed but not targeted has status 225.||||licensedNotTargeted
    maintainer|2020-12-11|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/128|IntuneMAMRegisterAndEnrollAccount error
    - evidence/enrollment/untargeted-user-keeps-working|After status 225, a user whom no policy targets may still use corporate data in the app.|noRuleApplied||share print|licensedNotTargeted
    header|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/blob/main/IntuneMAMSwift.xcframework/ios-arm64/IntuneMAMSwift.framework/Headers/IntuneMAMPolicyManager.h|IntuneMAMPolicyManager.h, release 21.7.1
    - evidence/enrollment/upn-is-compared-without-case|IntuneMAMUPN is compared with the account without case.||IntuneMAMUPN||newPoliciesReceived
    - evidence/identity/cancelled-pin-cancels-the-switch|If the user cancels the conditional launch, the switch is cancelled and the earlier identity stays.|pinNotSet|pinRequired
    - evidence/identity/empty-identity-is-unmanaged|The empty string as identity is an unknown personal account, to which no policy applies.||printBlocked|print
    - evidence/identity/merged-view-locks-down|A window with several accounts, at least one of them managed, has a standard lock-down policy that does not reflect the policies of the accounts.|viewOfOneManagedAccount printingBlocked|printBlocked|print
    - evidence/identity/merged-view-of-personal-accounts|A window with several personal accounts is not managed.||printBlocked|print
    - evidence/identity/nil-falls-back-to-the-process|Without an identity, a window has that of the process.|printingBlocked|printBlocked|print
    - evidence/identity/renamed-account|After a rename, the account is recognised by its object id, which names accounts in the SDK.
    - evidence/identity/thread-identity-ends|A thread identity in a scope ends with the scope.|printingBlocked|printBlocked|print
    - evidence/identity/windows-apart|Each window may have an identity of its own.|printingBlocked|printBlocked|print
    - evidence/targeting/object-id-is-compared|Identities are compared without case, and by object id if both are known.|clipboardSameIdentity||clipboard
    - evidence/targeting/object-id-wins-over-the-name|An account that was renamed is the same account by its object id.|clipboardSameIdentity||clipboard
    - evidence/web-views/block-upload|With CurrentIdentityBlockUpload, pasting org data in the web view is blocked.|webViewWithoutUpload||webView
    documentation||https://developer.apple.com/documentation/bundleresources/information-property-list/nsextension/nsextensionattributes/nsextensionactivationrule|NSExtensionActivationRule
    - evidence/extensions/action-by-the-same-rules|Action extensions follow the same rules as share extensions.
    report||https://code911.top/howto/nsextensionactivationrule-ios-app-extension-how-to-activate-the-extension-in-itunes|Activating iOS App Extension in iTunes using NSExtensionActivationRule
    - evidence/extensions/app-store-item-url-only|A rule of web URLs alone is not offered in the App Store, whose URL comes with an image and a text.
    - evidence/extensions/app-store-item|The App Store shares an image, a text and a URL together, and a rule with all three kinds is offered for them.
    report|2023-03-09|https://github.com/BreckoEC/share-extension-expo-plugin/pull/1|Allow matching multiple attachment types
    - evidence/extensions/at-least-one-of-two-types|A predicate that wants at least one attachment of URL or text matches the URL and the text that Firefox shares.
    - evidence/extensions/exactly-one-of-two-types|A predicate that wants exactly one attachment of URL or text does not match the URL and the text that Firefox shares.
    documentation||https://developer.apple.com/library/archive/documentation/General/Reference/InfoPlistKeyReference/Articles/AppExtensionKeys.html|Information Property List Key Reference, App Extension Keys
    - evidence/extensions/attachments-max|A maximum of attachments also limits attachments of several kinds together.
    - evidence/extensions/attachments-min|A minimum of attachments excludes items with fewer attachments.
    - evidence/extensions/file-count|A rule with files offers the extension for a file.
    - evidence/extensions/file-url-is-no-web-url|A file URL is not a web URL, so a rule of web URLs is not offered for it.
    - evidence/extensions/files-of-all-types|The maximum of files counts files of every type, images included.
    - evidence/extensions/image-count-exceeded|A rule with one image does not offer the extension for two images.
    - evidence/extensions/image-count|A rule with one image offers the extension for one image.
    - evidence/extensions/images-and-a-movie|With a maximum for images and one for movies, both can be shared together.
    - evidence/extensions/movie-count|A rule with movies does not offer the extension for an image.
    - evidence/extensions/movie|A rule with movies offers the extension for a movie.
    - evidence/extensions/rich-text-is-text|A rule with text is offered for rich text, whose type conforms to text.
    - evidence/extensions/text-false|A rule with text set to false does not offer the extension for text.
    - evidence/extensions/text|A rule with text offers the extension for text.
    - evidence/extensions/too-many-files-of-all-types|Two images exceed a maximum of one file.
    - evidence/extensions/unsupported-type|An extension is not offered for a type that its rule does not name.
    - evidence/extensions/version-1-needs-all|By default, an extension must support every attachment.
    - evidence/extensions/version-2-needs-one|With dictionary version 2, an extension must support one of the attachments.
    - evidence/extensions/web-url-count|A rule with one web URL offers the extension for a URL.
    documentation||https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/Predicates/Articles/pSyntax.html|Predicate Programming Guide, Predicate Format String Syntax
    - evidence/extensions/between|BETWEEN includes both bounds.
    - evidence/extensions/greater-or-equal-reversed|=> means the same as >=.
    - evidence/extensions/keywords-in-lower-case|Keywords of a predicate may be written in lower case.
    - evidence/extensions/like-question-mark|In LIKE, ? stands for one character.
    - evidence/extensions/none-of-the-types|NONE holds if no element of the collection meets the condition.
    - evidence/extensions/not-equal-in-angle-brackets|<> means not equal.
    documentation||https://developer.apple.com/documentation/foundation/nscomparisonpredicate/options-swift.struct/caseinsensitive|NSComparisonPredicate.Options.caseInsensitive
    - evidence/extensions/case-insensitive|With [c], strings are compared without case.
    report|2023-01-24|https://github.com/Expensify/react-native-share-menu/issues/235|Sharing contact cards not working in iOS
    - evidence/extensions/contact-card|A predicate for public.vcard is offered for a contact card.
    report||https://developer.apple.com/forums/thread/772230|Share extension activation rule for selected text on macOS
    - evidence/extensions/csv-is-delimited-text|A predicate for delimited text is offered for CSV files.
    report|2022-07-07|https://github.com/Expensify/react-native-share-menu/issues/122|Can not share JSON, CSV files
    - evidence/extensions/data-takes-json|A predicate for public.data is offered for JSON, CSV and PDF files.
    documentation|2024-04-04|https://learn.microsoft.com/en-us/intune/intune-service/developer/app-sdk-ios-phase4|Intune App SDK for iOS, stage 4, App participation features
    - evidence/extensions/dictionary-rule-restricted|Under restricted sending, a dictionary rule does not see managed content.
    - evidence/extensions/open-in-rule-one-file|An Open-In extension takes one file of the app's document types.
    - evidence/extensions/open-in-rule-two-files|An Open-In extension is not offered for two files.
    - evidence/extensions/prefixed-only-rule|An extension whose rule has only prefixed types is offered for managed content only.
    - evidence/extensions/prefixed-types|Under restricted sending, a rule with the prefixed types sees managed content.
    - evidence/extensions/restricted-types|Under restricted sending, a rule without the prefixed types does not see managed content.
    - evidence/extensions/updated-rule-unrestricted|A rule with both forms of a type also works without a restriction.
    - evidence/files/file-encryption-required-must-be-obeyed|Apps must encrypt files if the administrator requires Intune encryption (isFileEncryptionRequired).|fileEncryptionRequired|appDataEncryptionType|fileEncryption
    - evidence/sending/activity-filtering-since-8-0-2|From SDK 8.0.2 on, the activity view offers only Intune-managed locations if the policy says so.|openInFilter|allowedOutboundDataTransferDestinations filterOpenInToOnlyManagedApps|share||8.0.2
    - evidence/storage/destination-may-refuse|The account that owns the destination may refuse unmanaged data, so the app asks even for data that is not the organisation's.|receiveNone|allowedInboundDataTransferSources|saveTo
    - evidence/storage/nil-account-before-15-1-0|Before SDK 15.1.0, a nil account at local storage meant the current account.|nilAccountIsCurrent|saveAsBlocked allowedDataStorageLocations|saveTo||15.0.0
    - evidence/storage/nil-account-since-15-1-0|Since SDK 15.1.0, a nil account at local storage means an unmanaged account.|saveToOtherAccount|saveAsBlocked allowedDataStorageLocations|saveTo||15.1.0
    - evidence/storage/no-restriction-in-place|An open-from check on an unmanaged receiver finds no restriction of its own.||blockDataIngestionIntoOrganizationDocuments|openFrom
    - evidence/storage/policy-is-the-owners|A save is asked on the policy of the data's owner, whichever account is active.|saveServiceNotSelected|saveAsBlocked|saveTo
    - evidence/storage/save-allowed|With "Save copies of org data: Allow", org data can be saved to the account's OneDrive.|saveNotRestricted|saveAsBlocked|saveTo
    - evidence/storage/save-blocked-without-services|With "Block" and no service, even the account's OneDrive is blocked.|saveServiceNotSelected|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/storage/save-to-other-service-blocked|With "Block" and OneDrive selected, other services are blocked.|saveServiceNotSelected|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/storage/save-to-selected-service|With "Block" and OneDrive selected, org data can be saved to the account's OneDrive.|saveToSelectedService|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/web-views/safari-extension|An app asks isAppSharingAllowed before it passes data to its Safari web extension, which is false under "None".|sendNone|allowedOutboundDataTransferDestinations|safariExtension
    report|2025-09-27|https://github.com/achorein/expo-share-intent/pull/194|Add vCard file sharing support in iOS share extension
    - evidence/extensions/equal-type|A predicate that compares types with == matches an attachment that registers that type.
    report|2014-09-15|https://github.com/lionheart/openradar-mirror/issues/11993|18342403: NSExtensionActivationRules should only need to match a single activity item for a share extension to be displayed
    - evidence/extensions/every-item-in-a-bug-report|An extension of text is not offered if the host app adds an image to the text.
    report|2018-06-07|https://github.com/wordpress-mobile/WordPress-iOS/pull/9543|App extensions now use NSExtensionActivationRule predicates
    - evidence/extensions/fewer-than-three-images|A predicate with a count below 3 takes two images.
    - evidence/extensions/not-fewer-than-three-images|A predicate with a count below 3 does not take three images.
    report|2023-06-11|https://github.com/Expensify/react-native-share-menu/issues/111|PDF sharing in iOS
    - evidence/extensions/file-count-covers-pdf|A rule with files offers an extension for a PDF document.
    documentation||https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct/fileurl|UTType.fileURL
    - evidence/extensions/file-url-is-a-url|The type of file URLs conforms to public.url.
    report|2017-01-25|https://github.com/lionheart/openradar-mirror/issues/16792|30184633 macOS Sharing Services, PDF predicate not working
    - evidence/extensions/file-url-is-no-pdf|A predicate for PDF does not match an attachment that only registers public.file-url.
    - evidence/extensions/file-url-with-its-type|A predicate for PDF matches an attachment that registers its type beside public.file- url.
    report|2020-12-11|https://github.com/ajith-ab/react-native-receive-sharing-intent/issues/49|How to filter video or image exclusively
    - evidence/extensions/five-images-or-one-movie|A rule of up to four images or one movie is not offered for five images.
    - evidence/extensions/four-images-or-one-movie|With subqueries joined by AND and OR, a rule takes up to four images or one movie.
    - evidence/extensions/image-and-movie|A rule of up to four images or one movie is not offered for an image with a movie.
    documentation||https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct/heic|UTType.heic
    - evidence/extensions/heic-is-an-image|HEIC photos conform to public.image through public.heif-standard.
    report||https://pspdfkit.com/blog/2016/hiding-action-share-extensions-in-your-own-apps/|Hiding Your Action and Share Extensions In Your Own Apps
    - evidence/extensions/hidden-by-a-type-of-its-own|An app hides its own action by an additional type on its documents, which the rule excludes with NOT.
    - evidence/extensions/shown-without-the-type-of-its-own|A rule that excludes a type of the app with NOT is offered for the documents of other apps.
    report|2018-11-22|https://github.com/alinz/react-native-share-extension/issues/124|Share extension doesn't shows up in whatsapp ios
    - evidence/extensions/image-beside-web-url|A dictionary rule for an image and a web URL offers the extension for one photo.
    report|2015-04-17|https://gist.github.com/Koze/4bb5d165f050da0e3fd7|NSPredicate with wildcard
    - evidence/extensions/like-star|In LIKE, * stands for any number of characters.
    - evidence/extensions/like-whole-string|LIKE compares the whole string, not its beginning.
    report||https://stackoverflow.com/questions/26232773|Declaring supported document types of an extension
    - evidence/extensions/listed-office-document|A predicate that lists a spreadsheet type is offered for it.
    - evidence/extensions/other-office-document|A predicate that lists a spreadsheet type is not offered for a text document of the same family.
    report|2024-11-05|https://github.com/ShoutSocial/share_handler/issues/105|When share 1 photo it works fine, but with 2 or more photos the app is not shown
    - evidence/extensions/more-than-zero|A predicate with a count above 0 takes several photos.
    documentation||https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct/movie|UTType.movie
    - evidence/extensions/movie-is-audiovisual|Movies conform to public.audiovisual-content.
    report||https://stackoverflow.com/questions/79290727|NSExtensionActivationRule with public.url not showing in share sheet
    - evidence/extensions/no-key-for-type-identifiers|NSExtensionActivationSupportsAttachmentsWithMatchingTypeIdentifiers is not a key of rules, and an extension with only that key is not offered.
    documentation||https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct/pdf|UTType.pdf
    - evidence/extensions/pdf-is-composite-content|PDF documents conform to public.composite-content.
    documentation|2009-11-17|https://developer.apple.com/library/archive/documentation/Miscellaneous/Reference/UTIRef/Articles/System-DeclaredUniformTypeIdentifiers.html|System-Declared Uniform Type Identifiers
    - evidence/extensions/plain-text-is-content|Plain text conforms to public.content through public.text.
    documentation||https://developer.apple.com/documentation/uniformtypeidentifiers|Uniform Type Identifiers
    - evidence/extensions/png-is-content|PNG images conform to public.content through public.image.
    documentation||https://developer.apple.com/library/archive/documentation/General/Conceptual/ExtensibilityPG/ExtensionScenarios.html|App Extension Programming Guide, Handling Common Scenarios
    - evidence/extensions/predicate-conformance|UTI-CONFORMS-TO also matches types that conform to the named one.
    - evidence/extensions/predicate-other-type|A predicate with SUBQUERY does not offer an extension for another type.
    - evidence/extensions/predicate-two-items|A rule for one item does not offer the extension for two items.
    - evidence/extensions/predicate|A predicate with SUBQUERY offers an extension for items whose attachments all match.
    - evidence/extensions/subtypes-of-data|A predicate for public.data matches a type that conforms to it over several steps, such as an office document.
    - evidence/extensions/truepredicate-restricted|TRUEPREDICATE matches under restricted sending, too.
    - evidence/extensions/truepredicate|TRUEPREDICATE offers an extension for everything, and is for development only.
    report||https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/671|NSFileProvider extension can't vend to Word under Intune MAM
    - evidence/extensions/prefix-in-the-field|With SDK 21.6.0, only an extension with prefixed types is offered for a protected document.|||||21.6.0|26.5
    documentation||https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct/quicktimemovie|UTType.quickTimeMovie
    - evidence/extensions/quicktime-is-a-movie|QuickTime movies conform to public.movie.
    report||https://gist.github.com/irace/535c9aa3314ee41fb902|Share extension predicates
    - evidence/extensions/url-and-text-keys|An extension that supports text and web URLs is offered for a URL with a string.
    report|2023-02-01|https://github.com/acez/bookmark-companion/issues/24|App not shoing up in share feature when using Firefox
    - evidence/extensions/url-and-title-of-firefox|Firefox shares a URL with its title as text, so an extension of one web URL is not offered there.
    report|2026-04-16|https://github.com/j3k0/cordova-plugin-openwith/issues/12|Is Image Sharing Required by this plugin?
    - evidence/extensions/url-is-no-text|A URL is not text, so a rule with text alone is not offered for a URL.
    documentation||https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct/vcard|UTType.vCard
    - evidence/extensions/vcard-is-a-contact|vCards conform to public.contact.
    report|2014-09-15|https://github.com/TumblrArchive/ios-extension-issues/issues/5|Share extensions will *only* show up if they explicitly support *all* of the provided activity items
    - evidence/extensions/version-1-in-the-field|A share extension of URLs alone is not offered if the host app adds an image to the URL.
    report|2017-09-21|https://github.com/mozilla-mobile/firefox-ios/pull/3203|Bug 1401783 - Use simple matching for extensions.
    - evidence/extensions/version-2-in-the-field|Firefox uses dictionary version 2 so that its share extension is offered beside types that it does not support.
    report||https://www.cnblogs.com/cxchanpin/p/6773873.html|iOS 8 Share Extension Safari URL Example
    - evidence/extensions/zero-images|A maximum of 0 excludes a kind of content.
    documentation|2025-06-12|https://learn.microsoft.com/en-us/intune/developer/app-sdk/ios-phase-5|Intune App SDK for iOS, stage 5, Multi-identity
    - evidence/files/appending-keeps-the-owner|A file keeps the owner that was established when it was created.||appDataEncryptionType
    - evidence/files/no-identity-no-encryption|Without an identity, no policy applies to a file.|fileBegins|appDataEncryptionType
    - evidence/files/owner-can-be-asked-for|An app can ask for a file's owner.|fileOwnerTold
    - evidence/files/protected-data-of-a-managed-account|Data that is protected for a managed account is encrypted, and readable for that account only.||appDataEncryptionType
    - evidence/files/protected-data-of-an-unmanaged-account|Data that is protected for an unmanaged account is not encrypted; it names its owner.|dataOfUnmanagedAccount|appDataEncryptionType
    - evidence/files/single-identity-owner|In a single-identity app, every file belongs to the enrolled user.|fileStoredEncrypted|appDataEncryptionType
    - evidence/files/thread-identity-before-process-identity|For files, the identity of the thread takes precedence over that of the process.||appDataEncryptionType
    - evidence/files/truncation-sets-the-owner|A file that is opened in truncate mode gets the identity of the task as its owner.|fileBegins|appDataEncryptionType
    - evidence/identity/kill-and-restart|After a restart, the policy applies again once the app shows the managed account.|printingBlocked|printBlocked|print
    - evidence/identity/managed-pause|A pause does not change whether the policy applies to the managed account.|printingBlocked|printBlocked|print
    - evidence/identity/sdk-asks-for-an-unmanaged-account|If the SDK needs an unmanaged account, it asks for the empty identity.||pinRequired
    - evidence/identity/second-managed-login-blocked|A second managed account cannot log in before the first one is removed.|singleManagedAccount
    - evidence/identity/unmanaged-login-first|The order of logins does not matter: the managed account is protected, the other is not.|printingBlocked|printBlocked|print
    - evidence/identity/unmanaged-pause|A pause does not change whether the policy applies to an unmanaged account.||printBlocked|print
    - evidence/identity/view-of-several-accounts-has-a-policy|In a view with data of several accounts, the policy applies.|printingBlocked|printBlocked|print
    - evidence/wipe/logging-out-the-managed-account|When the managed account logs out, its data is removed, and that of the unmanaged account stays.||||unenrollmentSuccess
    - evidence/wipe/logging-out-the-unmanaged-account|When an unmanaged account logs out, the managed account keeps its data and its policy.|printingBlocked|printBlocked|print
    maintainer|2022-05-17|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/241|FileProtectionLevel and software level encryption
    - evidence/files/encryption-needs-no-api|Under "Encrypt org data", the device encrypts files without a call by the app.|fileEncryptionByDevice|appDataEncryptionType|fileEncryption
    maintainer|2021-04-15|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/160|Issue with encryption policy
    - evidence/files/file-encryption-required-is-false|isFileEncryptionRequired is always false: no policy in the admin centre or Graph sets it, and "Encrypt org data" is enforced by the device.|fileEncryptionByDevice|appDataEncryptionType|fileEncryption||14.1.3
    report|2026-09-23|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/699|IntuneMAMSwift policy block not enforced for CNContactStore access
    - evidence/functions/contacts-report|A report of 2026 states that the SDK does not block access to the contact store, although the policy restricts data transfer.|contactSyncAllowed|contactSyncBlocked allowedOutboundDataTransferDestinations|contactSync
    release-note|2025-06-23|https://learn.microsoft.com/en-us/intune/intune-service/fundamentals/whats-new|What's new in Microsoft Intune
    - evidence/functions/genmoji-before-20-4-0-under-all-apps|Before the SDK had a setting for it, Genmoji was available under Send "All apps".|sendAllApps|allowedOutboundDataTransferDestinations|genmoji||20.4.0
    - evidence/functions/genmoji-followed-send-before-20-4-0|Before the SDK had a setting for it, Genmoji was blocked unless Send is "All apps".|genmojiFollowsSend|allowedOutboundDataTransferDestinations genmojiConfigurationState|genmoji||20.4.0
    - evidence/functions/writing-tools-before-20-4-0-under-all-apps|Before the SDK had a setting for them, Writing Tools were available under Send "All apps".|sendAllApps|allowedOutboundDataTransferDestinations|writingTools||20.4.0
    - evidence/functions/writing-tools-followed-send-before-20-4-0|Before the SDK had a setting for them, Writing Tools were blocked unless Send is "All apps".|writingToolsFollowSend|allowedOutboundDataTransferDestinations writingToolsConfigurationState|writingTools||20.4.0
    documentation|2026-05-15|https://learn.microsoft.com/en-us/intune/app-management/protection/multiple-managed-accounts|Multiple managed accounts for app protection policies
    - evidence/functions/keyboards-for-all-accounts|Third-party keyboards are blocked for the whole app, whichever account is active.|keyboardsBlocked|thirdPartyKeyboardsBlocked|keyboard
    - evidence/identity/allowed-accounts-only-under-mdm|IntuneMAMAllowedAccountsOnly restricts an app with the feature to one managed account.|accountNotAllowed|IntuneMAMAllowedAccountsOnly
    - evidence/identity/mixed-view-blocks-copy|In a mixed view, cut, copy and paste are blocked, even within the app.|clipboardBlocked|allowedOutboundClipboardSharingLevel|clipboard
    - evidence/identity/mixed-view-locks-down-two-managed|A mixed view of two managed accounts has the most restrictive behaviour.||allowedOutboundDataTransferDestinations printBlocked|share print screenCapture
    - evidence/identity/mixed-view-with-one-managed-account-copies|In a mixed view of one managed account and a personal account, copy and paste are blocked.|viewOfOneManagedAccount|allowedOutboundClipboardSharingLevel|clipboard
    - evidence/identity/mixed-view-with-one-managed-account|A mixed view of one managed account and a personal account is locked down, too.|viewOfOneManagedAccount|allowedOutboundDataTransferDestinations|screenCapture
    - evidence/identity/other-managed-account-under-mdm|On an MDM device, an app with the feature accepts managed accounts other than MDM's user.||||newPoliciesReceived
    - evidence/identity/policies-per-account|With several managed accounts, each account has its own policy.|sendManagedAppsToUnmanaged sendAllApps|allowedOutboundDataTransferDestinations|share
    - evidence/identity/segmented-view|In a segmented view, the policy of the active account applies.|printingAllowed|printBlocked|print
    - evidence/identity/single-managed-account-without-the-feature|An app without the feature has one managed account.|singleManagedAccount
    - evidence/launch/threat-level-per-account|The threat level belongs to the device; each account's policy decides on it.|threatLevelBlocks|maximumAllowedDeviceThreatLevel
    - evidence/pin/one-prompt-for-equal-accounts|If all managed accounts require the same, the user is asked once.|pinNotSet|pinRequired
    - evidence/pin/separate-prompts-for-different-accounts|If the managed accounts require different things, the user is asked for each.|pinNotSet credentialsAsked|pinRequired organizationalCredentialsRequired
    header|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/blob/main/IntuneMAMSwift.xcframework/ios-arm64/IntuneMAMSwift.framework/Headers/IntuneMAMPolicy.h|IntuneMAMPolicy.h, release 21.7.1
    - evidence/functions/notifications-blocked|With "Block", all notifications of the managed user are suppressed.|notificationsBlocked|notificationRestriction|notification
    - evidence/functions/widget-policy-is-separate|The header has a property for widgets beside the one for contacts.|widgetSyncBlocked|allowWidgetContentSync|widget
    - evidence/links/known-managed-scheme|A caller may state that a scheme belongs to a managed app, and then the URL is allowed.|managedScheme|allowedOutboundDataTransferDestinations|openURL
    - evidence/links/managed-app-by-twin-scheme|A URL of a managed app's scheme is allowed if its -intunemam twin is registered.|managedScheme|allowedOutboundDataTransferDestinations|openURL
    - evidence/system/app-intents-follow-the-policy|The policy states whether App Intents may use a managed account, and the app must block them if it does not.|systemFeatureBlocked|allowedOutboundDataTransferDestinations|appIntents
    - evidence/system/siri-is-not-blocked-by-none-only|Siri intents are also blocked under "None".|systemFeatureBlocked sendNone|allowedOutboundDataTransferDestinations|siriIntents
    - evidence/web-views/app-sharing-with-managed-apps|isAppSharingAllowed is true under "Policy managed apps", whether or not a managed app is there to receive.|sharingUIAvailable|allowedOutboundDataTransferDestinations|safariExtension
    documentation|2025-04-01|https://github.com/MicrosoftDocs/memdocs/blob/main/memdocs/intune/includes/intune-notices.md|Intune notices: screen capture is blocked by Intune App SDK 19.7.6 and 20.2.1
    - evidence/functions/screen-capture-key-through-the-service|The key com.microsoft.intune.mam.screencapturecontrol = Disabled in a configuration for managed apps allows screen capture.|screenCaptureControlDisabled|allowedOutboundDataTransferDestinations com.microsoft.intune.mam.screencapturecontrol|screenCapture|||18
    report|2025-06-25|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/577|Screen capture is not blocked by MAM policy
    - evidence/functions/screen-capture-not-blocked-in-20-1-2|With SDK 20.1.2, users can capture the screen under a policy.|screenCaptureNotControlled|allowedOutboundDataTransferDestinations|screenCapture||20.1.2
    documentation|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/tree/main/IntuneMAMResources.bundle/en.lproj|AppRestrictions.strings, message 81, release 21.7.1
    - evidence/identity/failed-switch-keeps-the-url|If an app does not switch to the account of protected data, its user is told that the switch failed, instead of seeing the data.|identitySwitchRefused||openURL
    header|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/blob/main/IntuneMAMSwift.xcframework/ios-arm64/IntuneMAMSwift.framework/Headers/IntuneMAMFileProtectionManager.h|IntuneMAMFileProtectionManager.h, release 21.7.1
    - evidence/identity/missing-file-has-no-protection-info|A path that does not exist has no protection information.||||unenrollmentSuccess
    - evidence/identity/protect-gives-a-file-an-owner|An app can give an existing file to an account with protect:accountId:.||appDataEncryptionType
    documentation|2021-07-13|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-protection-policy|App protection policies overview
    - evidence/identity/policy-needs-signed-in-account|A personal account in an app with a policy stays unrestricted.||allowedOutboundDataTransferDestinations|share
    - evidence/pin/administrators-wipe-keeps-the-pin|A wipe request for one app keeps the PIN, so the same user unlocks the app with it after signing in again.|pinEntered|pinRequired
    - evidence/pin/needs-a-sign-in-to-set|A user must sign in with the work account before setting or resetting the PIN.|pinChangeNeedsSignIn|pinRequired
    - evidence/pin/wipe-keeps-the-pin|A selective wipe does not clear the PIN, which other apps of the publisher may use: after signing in again, the old PIN works.|pinNotSet|appActionIfMaximumPinRetriesExceeded||unenrollmentSuccess
    - evidence/sending/share-extension-encrypts-before-sharing|Without device management, the share extension cannot be controlled, so corporate data is encrypted before it leaves the app.|sendManagedAppsEncrypts|allowedOutboundDataTransferDestinations|share
    - evidence/storage/personal-data-moves-freely|Data of a personal account can be saved without restriction.||saveAsBlocked|saveTo
    - evidence/storage/save-to-another-account|Org data cannot be saved to a personal account's storage even at a selected service.|saveToOtherAccount|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/targeting/selected-apps|A policy must target the app that is used.|||share
    - evidence/targeting/unmanaged-devices-only|A policy for unmanaged devices does not apply to the enrolled user on an enrolled device.|||share
    documentation||https://developer.apple.com/documentation/security/ksecclassgenericpassword|kSecClassGenericPassword
    - evidence/keychain/account-is-part-of-the-key|The account is part of the key of a generic password, so another account of the same service is not a duplicate.
    - evidence/keychain/group-is-part-of-the-key|The group is part of the key of a generic password, so the same service and account in another group is not a duplicate.
    documentation|2025-10-16|https://github.com/apple-oss-distributions/Security/blob/main/secdxctests/KeychainEntitlementsTest.m|Security, KeychainEntitlementsTest
    - evidence/keychain/add-to-a-foreign-group|Adding an item to a group without the entitlement fails with -34018.|keychainGroupNotEntitled|keychain-access-groups
    - evidence/keychain/application-identifier-by-name|An app with an application identifier only may name it as the group to search, add and delete.
    - evidence/keychain/delete-from-a-foreign-group|Deleting an item of a group without the entitlement fails with -34018.|keychainGroupNotEntitled|keychain-access-groups
    - evidence/keychain/delete-without-a-group|Deleting without a group does not reach items of foreign groups, and fails with -25300.
    documentation||https://developer.apple.com/documentation/security/ksecattraccessgroup|kSecAttrAccessGroup
    - evidence/keychain/app-groups|App groups also serve as keychain groups, after the app's own group.||com.apple.security.application-groups
    - evidence/keychain/one-group-an-item|An item is in exactly one group.
    documentation||https://developer.apple.com/documentation/security/secitemdelete(_:)|SecItemDelete
    - evidence/keychain/delete-covers-all-groups|Deleting without a group deletes every matching item of the app's groups.
    documentation||https://developer.apple.com/documentation/security/errsecduplicateitem|errSecDuplicateItem
    - evidence/keychain/duplicate|A second item with the same service and account in a group is a duplicate, -25299.
    report|2023-06-26|https://codingitwrong.com/2023/06/26/ios-keychain-sharing-error-with-associated-domains.html|iOS Keychain Sharing Error With Associated Domains
    - evidence/keychain/extension-with-the-group|An app and its extension share items through a keychain group that both have.||keychain-access-groups
    - evidence/keychain/extension-without-the-group|An extension without a shared keychain group does not get the items of its app.||keychain-access-groups
    documentation||https://developer.apple.com/documentation/security/sharing-access-to-keychain-items-among-a-collection-of-apps|Sharing access to keychain items among a collection of apps
    - evidence/keychain/first-group-is-the-default|An item without a group goes to the first of the app's groups.|keychainDefaultGroup|keychain-access-groups
    - evidence/keychain/other-team|Sharing is limited to the apps of one team.||keychain-access-groups
    - evidence/keychain/own-group-without-entitlement|An app without the entitlement can store private items.||keychain-access-groups
    - evidence/keychain/own-group|Every app belongs to a group of its own, named by its app id.|keychainGroupNotEntitled
    - evidence/keychain/search-without-a-group|A search without a group covers all groups of the app.||keychain-access-groups
    - evidence/keychain/shared-group|Apps in the same access group share its items.||keychain-access-groups
    report|2020-01-16|https://rambo.codes/posts/2020-01-16-common-pitfalls-when-using-keychain-sharing-on-ios|Common pitfalls when using Keychain Sharing on iOS
    - evidence/keychain/group-needs-the-prefix|A group of an app is not accepted without the prefix of the team.|keychainGroupNotEntitled|keychain-access-groups
    documentation||https://developer.apple.com/documentation/security/errsecmissingentitlement|errSecMissingEntitlement
    - evidence/keychain/missing-entitlement|An app that names a group without the entitlement gets the error -34018.|keychainGroupNotEntitled|keychain-access-groups
    documentation||https://developer.apple.com/documentation/security/errsecitemnotfound|errSecItemNotFound
    - evidence/keychain/not-found|A query without a matching item ends with -25300.
    documentation|2020-12-09|https://learn.microsoft.com/en-us/intune/intune-service/apps/mam-faq|Frequently asked questions about MAM and app protection
    - evidence/launch/app-version-before-os-version|A missed app version takes precedence over a missed iOS version.|minimumAppVersionBlocks|minimumRequiredAppVersion minimumRequiredOsVersion
    - evidence/launch/block-before-warning|With iOS 11.0 required and a warning below 11.1, a device on iOS 10 is blocked.|minimumOSVersionBlocks|minimumRequiredOsVersion minimumWarningOsVersion
    - evidence/launch/multi-identity-prompts-for-org-data|A multi-identity app asks for the PIN when the user opens org data, not at launch.|pinNotSet|pinRequired|print
    - evidence/launch/sdk-version-first|A missed SDK version takes precedence over a missed app version and iOS version.|minimumSDKVersionBlocks|minimumRequiredSdkVersion minimumRequiredAppVersion minimumRequiredOsVersion
    - evidence/launch/single-identity-prompts-at-launch|A single-identity app asks for the PIN at launch.|pinNotSet|pinRequired|print
    - evidence/launch/wipe-before-block|A wipe takes precedence over a block.|minimumOSVersionWipes|minimumRequiredOsVersion minimumWipeOsVersion
    - evidence/launch/wipe-of-one-condition-before-block-of-another|A wipe by one condition takes precedence over a block by another.|minimumOSVersionWipes|minimumRequiredAppVersion minimumWipeOsVersion
    - evidence/pin/one-pin-below-7-1-12|Apps of one publisher with SDKs older than 7.1.12 share one PIN.|pinRecheckNotDue|pinRequired|print||7.1.9
    - evidence/pin/other-publisher-asks-after-the-period|Time in one app does not restart the timer of a minimised app of another publisher: after the period, that app asks for the PIN.|pinAsked|periodOnlineBeforeAccessCheck|print
    - evidence/pin/rolling-timer|The PIN timer restarts when the app leaves the foreground, so another app of the publisher does not ask until the period is over.|pinAsked pinRecheckNotDue|periodOnlineBeforeAccessCheck|print
    - evidence/pin/timer-survives-a-reboot|A restart of the device does not affect the PIN timer.|pinRecheckNotDue|periodOnlineBeforeAccessCheck|print
    - evidence/pin/two-pins-around-7-1-12|Apps of one publisher with SDKs older and newer than 7.1.12 have two unrelated PINs.|pinNotSet|pinRequired|print||7.1.12
    - evidence/sending/none-encrypts-share-extensions|With "None", org data that the iOS share extension takes to an unmanaged app is encrypted.|sendNoneEncrypts|allowedOutboundDataTransferDestinations|share
    - evidence/targeting/any-device-state|A policy without a device state applies on managed and unmanaged devices.|sendManagedAppsToUnmanaged||share
    - evidence/wipe/at-check-in|A wipe request of the service takes effect at the next check-in.||||wipeReceived unenrollmentSuccess
    - evidence/wipe/offline-device|A device that is offline gets a wipe request when it is online again.||||unenrollmentSuccess
    - evidence/wipe/within-half-an-hour|A running app receives a wipe request within 30 minutes.||||unenrollmentSuccess
    maintainer|2021-04-08|https://github.com/microsoftconnect/intune-app-wrapping-tool-ios/issues/58|Force a IOS device to download the latest application from Intune MAM
    - evidence/launch/app-version-below-the-minimum|A user of an app below the minimum version is blocked from corporate data.|minimumAppVersionBlocks|minimumRequiredAppVersion
    documentation||https://learn.microsoft.com/en-us/graph/api/resources/intune-mam-iosmanagedappprotection?view=graph-rest-1.0|iosManagedAppProtection resource type
    - evidence/launch/app-version-below-the-warning|An app below the warning version opens after a warning.|minimumAppVersionWarns|minimumWarningAppVersion
    - evidence/launch/app-version-equal-to-the-minimum|An app of exactly the minimum version is not blocked, because only lower versions are.|minimumAppVersionMet|minimumRequiredAppVersion
    - evidence/launch/app-version-equal-to-the-warning|An app of exactly the warning version gets no warning, because only lower versions do.|minimumAppVersionMet|minimumWarningAppVersion
    - evidence/pin/length-without-a-required-pin|The minimum PIN length has an effect only if a PIN is required.|noAccessRequirement|pinRequired minimumPinLength
    maintainer|2022-11-16|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/287|Do Access Requirements block network traffic?
    - evidence/launch/background-work-continues|While the access requirements are due again, the SDK does not interfere with background work of the app.||periodOnlineBeforeAccessCheck
    documentation|2025-09-29|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-protection-policy|App protection policies overview
    - evidence/launch/credentials-every-recheck|Work credentials are asked again after the recheck period, as the PIN.|credentialsAsked|organizationalCredentialsRequired|print
    - evidence/launch/wipe-block-warning|A wipe comes before a block, and a block before a warning.|minimumOSVersionWipes|minimumWipeOsVersion minimumRequiredOsVersion
    - evidence/pin/another-account-sets-a-new-pin|The PIN belongs to an account: after a wipe, another account sets a new PIN.|pinNotSet|pinRequired|print
    - evidence/pin/one-pin-below-14-6-0|Apps of one publisher with SDKs between 7.1.12 and 14.6.0 share one PIN.|pinRecheckNotDue|pinRequired|print||14.5.0
    - evidence/pin/sign-out-keeps-the-pin|Signing out of an app does not clear the PIN that its publisher's apps share.|pinEntered|pinRequired
    - evidence/pin/two-pins-around-14-6-0|Apps of one publisher with SDKs older and newer than 14.6.0 have two unrelated PINs.|pinNotSet|pinRequired|print||14.6.0
    - evidence/sending/sharing-outside-is-encrypted|Org data that leaves by a share extension of the system is encrypted, even under "None".||allowedOutboundDataTransferDestinations|share
    - evidence/targeting/single-corporate-identity|Only one work account in an app can have a policy.|singleManagedAccount||||||Stage 5 of the SDK guide and IntuneMAMSettings.h allow several managed accounts with MultiManagedIdentities.
    - evidence/wipe/checks-every-30-minutes|While the app is used, it asks for a wipe request every 30 minutes.||||unenrollmentSuccess
    - evidence/wipe/other-app-unaffected|A selective wipe of one app does not affect another app.|printingBlocked|printBlocked|print
    maintainer|2022-11-09|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/284|Offline access to Intune enabled apps
    - evidence/launch/grace-by-design|Being unable to open an app offline a day after enrollment is the intended behaviour since SDK 16.1.1.|offlineGraceBlocks|periodOfflineBeforeAccessCheck|print||16.1.1
    maintainer|2023-04-05|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/321|Is there any method to force programmatically the launch of an app regardless the block access policy
    - evidence/launch/grace-cannot-be-disabled|An app cannot open org data offline after the grace period by any call.|offlineGraceBlocks|periodOfflineBeforeAccessCheck|print
    release-note||https://github.com/microsoftconnect/ms-intune-app-sdk-ios/releases/tag/16.1.1|Release notes 16.1.1
    - evidence/launch/grace-counts-check-ins-since-16-1-1|From SDK 16.1.1 on, the offline grace period counts connections to the Intune service, so an online device without a check-in is blocked.|offlineGraceBlocks|periodOfflineBeforeAccessCheck|print||16.1.1
    - evidence/pin/background-launch-does-not-restart-the-timer|A launch in the background restarted the PIN timer by mistake until SDK 16.1.1: inactivity counts from the last use.|pinAsked|periodOnlineBeforeAccessCheck|print
    - evidence/storage/save-image-with-photo-library|"Save Image" is in the share menu if the photo library is an allowed location.|saveToSelectedService|saveAsBlocked allowedDataStorageLocations|||16.1.1
    - evidence-open/launch/grace-counted-the-network-before-16-1-1|Before SDK 16.1.1, the offline grace period counted the lack of an internet connection, so an online device was not blocked.|offlineGraceBlocks|periodOfflineBeforeAccessCheck|print||16.0.12||Only releases before 16.1.1 (2022), which Microsoft no longer supports; the same release note states that later ones count connections to the service, which the program applies to every release. It blocks more.|expected verdict allowed, found verdict blocked|allowed
    maintainer|2023-05-31|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/338|Shared offline grace period timer for blocking access is not working
    - evidence/launch/grace-per-app|Each app has its own offline grace timer.|offlineGraceBlocks|periodOfflineBeforeAccessCheck|print|policiesHaveNotChanged
    documentation|2020-03-10|https://learn.microsoft.com/en-us/intune/intune-service/protect/mtd-app-protection-policy|Create Mobile Threat Defense app protection policy with Intune
    - evidence/launch/low-admits-a-low-threat|A device with low threats is compliant under "Low".|threatLevelAccepted|maximumAllowedDeviceThreatLevel
    - evidence/launch/low-blocks-a-medium-threat|"Low" admits devices with low threats only.|threatLevelBlocks|maximumAllowedDeviceThreatLevel
    - evidence/launch/medium-blocks-a-high-threat|"Medium" does not admit a device with high threats.|threatLevelBlocks|maximumAllowedDeviceThreatLevel
    documentation|2022-03-29|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-protection-policies-access-actions|Selectively wipe data using app protection policy conditional launch actions
    - evidence/launch/models-any-case|Device models are compared without case.|deviceModelAllowed|allowedIosDeviceModels
    - evidence/launch/models-common-to-two-policies|A model that both policies list is allowed.|deviceModelAllowed|allowedIosDeviceModels
    - evidence/launch/models-of-two-policies|Two policies with different models allow the models of both lists only.|deviceModelBlocks|allowedIosDeviceModels
    - evidence/launch/strictest-policy-wins|If two policies conflict, Intune takes the most restrictive value.|sendNone|allowedOutboundDataTransferDestinations|share
    documentation||https://developer.apple.com/documentation/xcode/allowing-apps-and-websites-to-link-to-your-content|Allowing apps and websites to link to your content
    - evidence/links/browser-without-the-app|If no app claims a universal link, the browser opens it.|||openURL
    - evidence/links/http-universal-link|Universal links are HTTP or HTTPS links.|||openURL
    documentation||https://microsoft.github.io/Microsoft365DSC/resources/intune/IntuneAppProtectionPolicyiOS|Microsoft365DSC, IntuneAppProtectionPolicyiOS
    - evidence/links/dialer-scheme-with-a-colon|The scheme of a specific dialer app may be stated with its colon, as in skype:.|dialerSpecificApp|dialerRestrictionLevel customDialerAppProtocol|openURL
    report|2023-08-07|https://github.com/avioli/uni_links/issues/183|Does not trigger with a subdomain on iOS
    - evidence/links/domain-does-not-cover-www|An associated domain does not cover its subdomains, such as www.|||openURL
    - evidence/links/domain-of-its-own-entry|A subdomain with an entry of its own opens the app.|||openURL
    maintainer|2024-12-13|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/507|"Action Not Allowed" Opening Edge (or Outlook)
    - evidence/links/edge-without-account|Edge and Outlook must be managed for the account, or their schemes are refused.|unmanagedScheme|allowedOutboundDataTransferDestinations|openURL
    device-log||https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/515|APP Not Applying Despite Receiving Event with Intune SDK Integration
    - evidence/links/exempt-itms-appss|A log of a device has itms-appss among the exempt schemes, so links to the App Store open.|exemptedScheme|exemptedAppProtocols|openURL
    documentation|2022-12-10|https://learn.microsoft.com/en-us/troubleshoot/mem/intune/app-protection-policies/troubleshoot-data-transfer-exemptions|Troubleshooting exemptions to data transfer policies
    - evidence/links/exempt-link-needs-its-app|If the app of an exempted universal link is not installed, the protected browser opens the link.|managedBrowserUsed|exemptedUniversalLinks|openURL
    - evidence/links/exemption-is-a-scheme|An iOS exemption names a URL scheme; a bundle id exempts nothing.|unmanagedScheme|exemptedAppProtocols|openURL
    maintainer|2022-05-23|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/243|Steps to Open App from Links in Outlook
    - evidence/links/exempt-scheme-opens-internal-app|A link opens an internal app from Outlook if its scheme is exempt.|exemptedScheme|exemptedAppProtocols|openURL
    device-log|2020-12-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/126|Policy prohibits using MFMailComposeViewController
    - evidence/links/mail-composer-blocked|With "Policy managed apps", the app's mail composer is refused.|sendManagedAppsToUnmanaged|allowedOutboundDataTransferDestinations|mailComposer||12.0.12
    maintainer|2020-12-17|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/126|Policy prohibits using MFMailComposeViewController
    - evidence/links/mail-composer-ignores-the-exemption|In SDK 12.0.12, an exemption of mailto does not reach the mail composer, because no URL is opened.|sendManagedAppsToUnmanaged|allowedOutboundDataTransferDestinations exemptedAppProtocols|mailComposer||12.0.12
    maintainer|2019-11-15|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/56|12.0.12 + iOS 13 issue with blocking outgoing requests (Apple Maps)
    - evidence/links/maps-blocked-by-none|Under Send "None", opening Apple Maps should be blocked; SDK 12.0.12 let it open on iOS 13.||allowedOutboundDataTransferDestinations|openURL
    - evidence/links/maps-blocked-with-none|With Send "None", opening Apple Maps with data is blocked.|sendNone|allowedOutboundDataTransferDestinations|openURL||11.2.0
    maintainer|2021-04-05|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/127|Text message not appear with passed text
    - evidence/links/message-composer-restricted|The message composer shares data with the native Messages app, so restricted sending applies to it.|sendManagedAppsToUnmanaged|allowedOutboundDataTransferDestinations exemptedAppProtocols|messageComposer||12.0.12
    device-log|2021-07-19|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/185|Send Data to Managed Apps policy: blocks App's authentication flow
    - evidence/links/own-scheme-without-twin|Under "Policy managed apps", an app does not reopen itself by its own scheme without a registered twin.||allowedOutboundDataTransferDestinations|openURL
    device-log|2020-04-14|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/73|Unable to open Url Scheme from app when app is enrolled
    - evidence/links/scheme-without-twin-fails|Under a policy, the SDK opens the -intunemam twin of a scheme; without a registered twin the URL fails to open.|managedScheme|allowedOutboundDataTransferDestinations|openURL
    maintainer|2020-12-16|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/129|Query on using telecommunication with Intune 14.0
    - evidence/links/tel-opens-the-dialer-by-default|An app needs no change for phone links: the SDK routes them to the dialer that the policy names.|dialerSpecificApp|dialerRestrictionLevel|openURL||14.0.0
    report|2025-08-13|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/589|Universal Links Not Working on iOS When Intune Forces Microsoft Edge
    - evidence/links/universal-links-go-to-edge|With Edge required, a universal link of an app that is not listed opens in Edge, not in the app.|managedBrowserRequired|managedBrowser|universalLink
    documentation||https://developer.apple.com/documentation/uikit/uiapplication/openexternalurloptionskey/universallinksonly|UIApplication.OpenExternalURLOptionsKey, universalLinksOnly
    - evidence/links/universal-links-only-without-an-app|With the option universalLinksOnly, a link that no app claims does not open.|||openURL
    report|2024-11-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/486|Intune App Protection Policy blocks URL opening in MS Edge when using .universalLinksOnly option
    - evidence/links/universal-links-only|With Edge required, a link that may only open as a universal link is blocked, and does not open in Edge.|managedBrowserRequired|managedBrowser|openURL
    documentation||https://developer.apple.com/documentation/technotes/tn3155-debugging-universal-links|TN3155 Debugging universal links
    - evidence/links/wildcard-does-not-cover-the-root|The root domain needs an entry beside the wildcard.|||openURL
    - evidence/links/wildcard-domain|A wildcard in an associated domain covers its subdomains.|||openURL
    documentation||https://developer.apple.com/documentation/devicemanagement/configuring-managed-apps-and-extensions|Configuring managed apps and extensions
    - evidence/managed-app/app-without-the-extensions-secrets|An app does not get the secrets of its extension.|managedAppNoSuchIdentifier
    - evidence/managed-app/extension-identity|An extension gets the secrets of its own entry in ExtensionConfigs.|managedAppProvides
    - evidence/managed-app/extension-without-the-apps-configuration|An extension whose entry has no configuration data gets none, not that of its app.|managedAppNothingSet
    - evidence/managed-app/extension-without-the-apps-secrets|An extension does not get the secrets of its app.|managedAppNoSuchIdentifier
    documentation||https://developer.apple.com/documentation/managedapp|ManagedApp
    - evidence/managed-app/becomes-unmanaged|An app whose management ends loses its configuration and secrets.|managedAppNotManaged
    - evidence/managed-app/configuration|A managed app gets the configuration that its administrator declares.|managedAppProvides
    - evidence/managed-app/unmanaged-app|An app that is not managed has neither a configuration nor secrets.|managedAppNotManaged
    documentation||https://developer.apple.com/documentation/managedapp/accessing-provisioned-secrets-with-identifiers|Accessing provisioned secrets with identifiers
    - evidence/managed-app/certificate-by-identifier|A managed app lists the identifiers of its certificates and identities.|managedAppProvides
    - evidence/managed-app/certificates|A managed app gets certificates, for example to pin a server.|managedAppProvides
    - evidence/managed-app/identity-signs|An identity signs data for the app.|managedAppProvides
    - evidence/managed-app/other-team|Secrets are for the managed app alone, not for an app of another team with the same identifier.|managedAppOtherSignature
    - evidence/managed-app/password-identifiers|The provider lists the identifiers of the passwords.|managedAppProvides
    documentation||https://developer.apple.com/documentation/managedapp/managedappconfigurationprovider|ManagedAppConfigurationProvider
    - evidence/managed-app/configuration-changes|A changed configuration reaches a running app.|managedAppProvides
    - evidence/managed-app/no-configuration|Without a configuration, the provider yields nothing.|managedAppNothingSet
    documentation||https://developer.apple.com/documentation/devicemanagement/leveraging-the-declarative-management-data-model-to-scale-devices|Leveraging the declarative management data model to scale devices
    - evidence/managed-app/configuration-without-an-activation|A configuration that no activation names has no effect.|managedAppNotManaged
    documentation||https://developer.apple.com/documentation/devicemanagement/appmanaged|AppManaged
    - evidence/managed-app/declared-app-is-managed|An app that a declaration manages is a managed app for managed open-in.|managedOpenInRestriction|allowOpenFromManagedToUnmanaged|share
    - evidence/managed-app/legacy-configuration|The older managed configuration of the user defaults can be declared as an asset.|managedAppProvides
    documentation|2024-10-21|https://github.com/apple/device-management/blob/release/declarative/declarations/activations/simple.yaml|Activation:Simple
    - evidence/managed-app/failed-configuration-beside-others|A configuration that fails does not keep the others of its activation from applying.|managedAppProvides
    documentation||https://developer.apple.com/documentation/managedapp/managedappidentitiesprovider|ManagedAppIdentitiesProvider
    - evidence/managed-app/identity|A managed app gets an identity by its identifier.|managedAppProvides
    - evidence/managed-app/withdrawn-secret|After an administrator withdraws an identity, its identifier is invalid.|managedAppNoSuchIdentifier
    documentation||https://developer.apple.com/documentation/managedapp/managedapperror/invalididentifier|ManagedAppError.invalidIdentifier
    - evidence/managed-app/invalid-identifier|An identifier that the administrator has not provisioned is an error, invalidIdentifier.|managedAppNoSuchIdentifier
    - evidence/managed-app/invalid-identity-identifier|An identity that the administrator has not provisioned is an error, invalidIdentifier.|managedAppNoSuchIdentifier
    report||https://dev.to/arshtechpro/wwdc-2025-get-to-know-the-managedapp-framework-17do|WWDC 2025, Get to know the ManagedApp framework
    - evidence/managed-app/keyboard-with-full-access|Extensions get app configurations.|||keyboard
    - evidence/managed-app/restricted-keyboard|Extensions in a restricted environment, such as keyboards without full access, get no app configuration.|||keyboard
    documentation||https://developer.apple.com/documentation/managedapp/managedapppasswordsprovider/password(withidentifier:)|ManagedAppPasswordsProvider.password(withIdentifier:)
    - evidence/managed-app/password-changes|The administrator may change a password at any time, and the app gets the new one.|managedAppProvides
    - evidence/managed-app/password|A managed app gets a password by its identifier.|managedAppProvides
    documentation||https://developer.apple.com/documentation/devicemanagement/activationsimple|ActivationSimple
    - evidence/managed-app/predicate-of-another-family|An activation whose predicate names Apple TV has no effect on an iPhone.|managedAppNotManaged
    documentation||https://developer.apple.com/documentation/managedapp/managedappconfigurationdecodingerror|ManagedAppConfigurationDecodingError
    - evidence/managed-app/report|An app reports to the administrator that it cannot decode its configuration.|managedAppReports
    documentation|2024-10-21|https://github.com/apple/device-management/blob/release/declarative/status/app.managed.list.yaml|Status App Managed List
    - evidence/managed-app/two-configurations-of-an-app|Of two configurations for one app, one applies, and the other fails because the app is already managed.|managedAppProvides
    documentation|2024-10-21|https://github.com/apple/device-management/blob/release/mdm/profiles/com.apple.applicationaccess.yaml|Restrictions (com.apple.applicationaccess)
    - evidence/mdm/activity-continuation|allowActivityContinuation false disables Handoff, which Universal Clipboard needs.|handoffOff||clipboard
    - evidence/mdm/air-drop-by-default|Without forceAirDropUnmanaged, AirDrop is not an unmanaged destination.|managedOpenInRestriction|allowOpenFromManagedToUnmanaged||||9
    - evidence/mdm/air-drop-of-an-unmanaged-app|As an unmanaged destination, AirDrop stays available to unmanaged apps under managed open-in.||||||9
    - evidence/mdm/air-drop-unmanaged-without-managed-open-in|forceAirDropUnmanaged makes AirDrop an unmanaged destination, which stays allowed without managed open-in.||||||9
    - evidence/mdm/air-drop-unmanaged|With forceAirDropUnmanaged, AirDrop is an unmanaged destination for managed open-in.|managedOpenInRestriction|allowOpenFromManagedToUnmanaged||||9
    - evidence/mdm/contacts-key-without-managed-open-in|If allowOpenFromManagedToUnmanaged is true, the restriction on writing contacts has no effect.|managedContactWriteRestriction|allowOpenFromManagedToUnmanaged allowManagedToWriteUnmanagedContacts|contactSync|||12
    - evidence/mdm/genmoji-needs-supervision|allowGenmoji needs a supervised device.||allowGenmoji|genmoji|||18
    - evidence/mdm/genmoji-on-a-supervised-device|On a supervised device, allowGenmoji false prohibits new Genmoji.||allowGenmoji|genmoji|||18
    - evidence/mdm/managed-pasteboard-without-managed-open-in|requireManagedPasteboard alone restricts nothing, because it only applies the managed open-in restrictions.||requireManagedPasteboard|clipboard
    - evidence/mdm/managed-pasteboard|With requireManagedPasteboard, copy and paste follows the two managed open-in restrictions.|managedPasteboard|requireManagedPasteboard|clipboard
    - evidence/mdm/open-from-managed-to-managed|With allowOpenFromManagedToUnmanaged false, documents of managed apps still open in other managed apps.||allowOpenFromManagedToUnmanaged|openIn
    - evidence/mdm/open-from-managed-to-unmanaged|With allowOpenFromManagedToUnmanaged false, documents of managed apps open in managed apps only.|managedOpenInRestriction|allowOpenFromManagedToUnmanaged|openIn
    - evidence/mdm/open-from-unmanaged-to-managed|With allowOpenFromUnmanagedToManaged false, documents of unmanaged apps open in unmanaged apps only.|unmanagedOpenInRestriction|allowOpenFromUnmanagedToManaged|openIn
    - evidence/mdm/open-in-is-free-by-default|Both managed open-in restrictions allow everything by default.|||openIn
    - evidence/mdm/pasteboard-between-managed-apps|With requireManagedPasteboard, managed apps paste what managed apps copied.||requireManagedPasteboard|clipboard
    - evidence/mdm/pasteboard-into-managed-app|With requireManagedPasteboard, content of an unmanaged app is not pasted in a managed app if documents may not be opened there.|managedPasteboard|requireManagedPasteboard|clipboard
    - evidence/mdm/pasteboard-is-free-by-default|requireManagedPasteboard is false by default, so pasting is free despite managed open-in.||requireManagedPasteboard|clipboard
    - evidence/mdm/read-contacts-without-managed-open-in|If allowOpenFromManagedToUnmanaged is true, the restriction on reading contacts has no effect.|managedContactReadRestriction|allowOpenFromManagedToUnmanaged allowUnmanagedToReadManagedContacts|contactRead|||12
    - evidence/mdm/read-managed-contacts-allowed|allowUnmanagedToReadManagedContacts lets unmanaged apps read managed contacts.|managedContactReadRestriction|allowUnmanagedToReadManagedContacts|contactRead|||12
    - evidence/mdm/read-managed-contacts|Under managed open-in, unmanaged apps may not read managed contacts unless allowUnmanagedToReadManagedContacts is true.|managedContactReadRestriction|allowUnmanagedToReadManagedContacts|contactRead|||12
    - evidence/mdm/screenshots-of-unmanaged-apps|allowScreenShot covers the whole display, so it also covers unmanaged apps.|screenCaptureRestriction|allowScreenShot|screenCapture
    - evidence/mdm/screenshots|With allowScreenShot false, no screenshot or recording is made.|screenCaptureRestriction|allowScreenShot|screenCapture
    - evidence/mdm/unmanaged-to-unmanaged|Unmanaged apps still open documents of unmanaged apps under managed open-in.|||openIn
    - evidence/mdm/write-unmanaged-contacts-allowed|allowManagedToWriteUnmanagedContacts lets managed apps write unmanaged contacts despite managed open-in.|managedContactWriteRestriction|allowManagedToWriteUnmanagedContacts|contactSync|||12
    - evidence/mdm/write-unmanaged-contacts|Under managed open-in, managed apps may not write unmanaged contacts unless allowManagedToWriteUnmanagedContacts is true.|managedContactWriteRestriction|allowManagedToWriteUnmanagedContacts|contactSync
    - evidence/mdm/writing-tools-need-supervision|allowWritingTools needs a supervised device.||allowWritingTools|writingTools|||18
    - evidence/mdm/writing-tools-on-a-supervised-device|On a supervised device, allowWritingTools false disables Writing Tools.||allowWritingTools|writingTools|||18
    - evidence-open/mdm/managed-pasteboard-needs-ios-15|requireManagedPasteboard needs iOS 15.|managedPasteboard|requireManagedPasteboard|clipboard|||14.8||blocked by managedPasteboard|allowed
    documentation||https://support.apple.com/guide/deployment/depaa73a4973/web|Manage organizational data on Apple devices
    - evidence/mdm/extension-of-a-managed-app|A share extension of a managed app follows managed open-in, so an unmanaged app cannot share with it.|unmanagedOpenInRestriction|allowOpenFromUnmanagedToManaged|share
    - evidence/mdm/extension-of-an-unmanaged-app|A managed app cannot share with an extension of an unmanaged app under managed open- in.|managedOpenInRestriction|allowOpenFromManagedToUnmanaged|share
    - evidence/mdm/managed-app-imports-from-an-unmanaged-provider|Under managed open-in, a managed app cannot open documents of an unmanaged document provider.|unmanagedOpenInRestriction|allowOpenFromUnmanagedToManaged|import
    - evidence/mdm/unmanaged-app-imports-from-a-managed-provider|A document provider of a managed app follows managed open-in, so an unmanaged app cannot open its documents.|managedOpenInRestriction|allowOpenFromManagedToUnmanaged|import
    documentation|2022-09-09|https://learn.microsoft.com/en-us/troubleshoot/mem/intune/app-protection-policies/data-transfer-scenarios|Common data transfer issues and scenarios
    - evidence/mdm/share-sheet-shows-managed-apps-only|If corporate documents are blocked in unmanaged apps, the share sheet of an MDM-managed app shows only apps that MDM deployed, not Teams from the App Store.
    - evidence/sending/filter-hides-save-to-files|"Open-In/Share filtering" removes Save to Files from the share sheet.|openInFilter|filterOpenInToOnlyManagedApps
    - evidence/storage/camera-blocked-by-receive-none|With Receive "None", nothing can be inserted from the camera.|receiveNone|allowedInboundDataTransferSources|openFrom
    - evidence/storage/save-locally-not-selected|Files cannot be saved to local storage unless Local Storage is selected.|saveServiceNotSelected|saveAsBlocked allowedDataStorageLocations|saveTo
    - evidence/storage/send-none-blocks-local-storage|With Send "None", files cannot be saved to local storage, even if it is selected.|sendNone|allowedOutboundDataTransferDestinations|saveTo
    release-note||https://github.com/microsoftconnect/ms-intune-app-sdk-ios/releases/tag/8.1.1|Release notes 8.1.1
    - evidence/pin/biometrics-timeout|After the timeout, the PIN overrides biometrics; SDK 8.1.1 introduced it.|biometricsTimedOut|pinRequiredInsteadOfBiometricTimeout|||8.1.1
    report|2021-11-03|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/213|Intune Pin required screen is displayed to logged out users
    - evidence/pin/logged-out-user-is-not-asked|A user who has signed out is not asked for the PIN.|pinAsked|pinRequired|print
    report|2019-11-14|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/57|Set PIN screen is broken in iOS 13.2
    - evidence/pin/longer-pin-required|After the policy requires a longer PIN, the app asks for the last PIN and then for a new one.|pinOutdated|minimumPinLength
    maintainer|2020-08-27|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/103|How to use Face ID instead of PIN
    - evidence/pin/no-face-id-on-the-device|On a device without Face ID, the SDK asks for the PIN, even if the policy allows Face ID.||faceIdBlocked
    release-note||https://github.com/microsoftconnect/ms-intune-app-sdk-ios/releases/tag/16.0.0|Release notes 16.0.0
    - evidence/pin/no-pin-reset-after-a-wipe|The SDK does not ask for a new PIN after a wipe; SDK 16.0.0 fixed cases in which it did.|pinAsked|pinRequired|print||16.0.0
    maintainer|2025-09-19|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/600|App PIN Isolation Issue Between Custom LOB App and Microsoft Apps
    - evidence/pin/not-shared-by-publishers|A line-of-business app does not share its PIN with apps of another publisher.|pinNotSet|pinRequired|print
    report|2023-09-21|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/380|Access Requirements for Pin when Device Pin is set is ignored in latest SDK
    - evidence/pin/waived-by-the-device-pin|With "App PIN when device PIN is set: Disable", an enrolled device with a PIN and IntuneMAMUPN does not ask for the app PIN.|pinWaived|disableAppPinIfDevicePinIsSet IntuneMAMUPN|print||17.4.2
    documentation|2024-11-20|https://learn.microsoft.com/en-us/intune/intune-service/apps/data-transfer-between-apps-manage-ios|How to manage data transfer between iOS apps in Microsoft Intune
    - evidence/receiving/incoming-org-data-in-use|With the work account in use, a document from a managed app gets the work identity.|incomingOrgData|allowedInboundDataTransferSources|share
    - evidence/receiving/incoming-org-data-not-signed-in|Without the work account, a document from a managed app arrives and gets no work identity.||allowedInboundDataTransferSources|share
    - evidence/receiving/incoming-org-data-signed-in|If the work account is signed in, a document from a managed app gets the work identity when it opens a multi-identity app.|incomingOrgData|allowedInboundDataTransferSources|share
    maintainer|2021-07-22|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/187|Crash during picking documents using UIDocumentPickerViewController
    - evidence/receiving/picker-blocked-by-none|With Receive "None", the SDK refuses the document picker.|receiveNone|allowedInboundDataTransferSources|documentPickerImport
    documentation|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/tree/main/IntuneMAMResources.bundle/en.lproj|AppRestrictions.strings, messages 77 to 79, release 21.7.1
    - evidence/receiving/receiver-reports-the-refusal|The receiving app tells its user that it takes no data of other apps, or only org data.|receiveManagedAppsFromUnmanaged|allowedInboundDataTransferSources|share
    report|2025-05-30|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/565|Auth flow between custom iOS app integrated with Intune SDK and Microsoft edge
    - evidence/receiving/url-of-an-unmanaged-browser|With Receive "Policy managed apps", an unmanaged browser can bring the user back to the app by its URL scheme.|unmanagedSender|allowedInboundDataTransferSources|openURL
    report|2021-11-12|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/214|OneDrive app not showing Mail managed app on the list while using Send a Copy
    - evidence/sending/native-apps-have-no-policy|An app without the Intune SDK, such as iOS Mail, is not covered by a policy even if MDM manages it.|sendManagedAppsToUnmanaged|allowedOutboundDataTransferDestinations|share
    report|2026-06-17|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/672|SDK integration changes incoming share behavior for managed but unenrolled apps
    - evidence/sending/os-sharing-encrypts-for-an-unenrolled-sdk|Under OS sharing, an MDM-managed app that links the SDK without an enrolled account gets encrypted data, which it could read before it linked the SDK.|unenrolledSDKReceiver|allowedOutboundDataTransferDestinations disableProtectionOfManagedOutboundOpenInData|share
    report|2025-06-05|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/566|Behavior of "Policy managed apps with OS sharing" after SDK integration
    - evidence/sending/os-sharing-refuses-an-unenrolled-sdk-app|After an MDM-managed app integrated the SDK without a policy, adding a file from OneDrive under OS sharing ended with an alert instead of the file.|unenrolledSDKReceiver|allowedOutboundDataTransferDestinations disableProtectionOfManagedOutboundOpenInData|import
    maintainer|2024-06-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/388|UIActivityController Open In forces MS Word to have read-only access
    - evidence/sending/os-sharing-with-a-blocking-profile|With OS sharing, IntuneMAMUPN and a profile that blocks corporate documents in unmanaged apps, open-in works between MDM-managed apps.|osSharing|allowedOutboundDataTransferDestinations disableProtectionOfManagedOutboundOpenInData IntuneMAMUPN|openIn
    report|2024-11-26|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/497|iOS share extension media is not shared when user restricts org data transfer
    - evidence/sending/own-share-extension|Under "Policy managed apps", an app does not load media in its own share extension.||allowedOutboundDataTransferDestinations|share
    documentation|2023-12-05|https://learn.microsoft.com/en-us/troubleshoot/mem/intune/app-protection-policies/troubleshoot-mam|Troubleshooting app protection policy user issues
    - evidence/sending/reader-without-account-is-refused|Opening an attachment of Outlook in Acrobat Reader is not allowed until the user has signed in to Acrobat Reader.|sendManagedAppsToUnmanaged sendManagedAppsToManaged|allowedOutboundDataTransferDestinations|share
    documentation|2026-07-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/tree/main/IntuneMAMResources.bundle/en.lproj|AppRestrictions.strings, messages 85 and 86, release 21.7.1
    - evidence/sending/sender-reports-the-refusal|The sending app tells its user that org data goes to managed apps only, or to no app.|sendNone|allowedOutboundDataTransferDestinations|share
    maintainer|2018-10-15|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/16|OneDrive app not showing Mail managed app on the list while using Send a Copy
    - evidence/sending/unmanaged-mail-app-is-not-offered|The SDK filters unmanaged apps such as iOS Mail out of the sharing list if only managed apps may receive.|sendManagedAppsToUnmanaged|allowedOutboundDataTransferDestinations|share
    release-note||https://github.com/microsoftconnect/ms-intune-app-sdk-ios/releases/tag/12.6.1|Release notes 12.6.1
    - evidence/storage/always-apply-save-copies|The configuration key com.microsoft.intune.intunemamonly.alwaysApplySaveCopiesOfOrgDataPolicy makes "Save copies of org data" act as Block while Send is "All apps".|saveAlwaysRestricted saveServiceNotOffered|saveAsBlocked allowedOutboundDataTransferDestinations|saveTo||12.6.1
    maintainer|2023-03-31|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/323|Unable to access camera
    - evidence/storage/camera-must-be-selected|A photo taken in the app is refused until Camera is among the selected services.|openServiceNotSelected|blockDataIngestionIntoOrganizationDocuments allowedDataIngestionLocations|openFrom
    - evidence/storage/camera-selected|With Camera among the selected services, a photo taken in the app can be used.|openFromSelectedService|blockDataIngestionIntoOrganizationDocuments allowedDataIngestionLocations|openFrom
    maintainer|2020-07-02|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/81|PhotosLibrary Usage
    - evidence/storage/camera-roll-is-a-save-location|Since SDK 12.6.1, the app asks whether the policy allows saving to the camera roll, with no account.|saveServiceNotSelected|saveAsBlocked allowedDataStorageLocations|saveTo||12.6.1
    report|2026-06-01|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/668|Crash when an alert is dismissed under Send Data = None
    - evidence/storage/camera-roll-under-send-none|With Send "None", saving an image to the photo library is not allowed.||allowedOutboundDataTransferDestinations|saveTo
    release-note||https://github.com/microsoftconnect/ms-intune-app-sdk-ios/releases/tag/14.1.0|Release notes 14.1.0
    - evidence/storage/files-app-blocked-by-save-as|If the policy blocks saving to unmanaged storage, the SDK blocks sharing to the Files app instead of only encrypting the file.|saveServiceNotOffered|saveAsBlocked|||14.1.0
    maintainer|2022-06-14|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/251|isOpenFromAllowedForLocation .localStorage always returns false
    - evidence/storage/local-storage-cannot-be-selected|With Receive "Policy managed apps" and "Open data into Org documents: Block", opening from local storage is not allowed.|openServiceNotOffered|allowedInboundDataTransferSources blockDataIngestionIntoOrganizationDocuments|openFrom
    - evidence/storage/local-storage-with-receive-all-apps|Opening from local storage is allowed with Receive "All apps" or "All apps with incoming Org data".||allowedInboundDataTransferSources blockDataIngestionIntoOrganizationDocuments|openFrom
    report|2022-08-29|https://github.com/MicrosoftDocs/memdocs/issues/3086|add Photo Library for option "OpenDataFromManagedLocations"
    - evidence/storage/photo-library-can-be-selected-for-opening|Photo Library is one of the locations for opening data.|openFromSelectedService|allowedDataIngestionLocations|openFrom
    documentation|2022-08-24|https://learn.microsoft.com/en-us/intune/intune-service/apps/app-protection-policies|How to create and assign app protection policies
    - evidence/system/unmanaged-account-is-free|An account without a policy is not restricted: policies apply in the work context only.||allowedOutboundDataTransferDestinations|share
    - evidence/targeting/all-apps|"All Apps" covers the apps of partners, too.|sendManagedAppsToUnmanaged||share
    - evidence/targeting/core-microsoft-apps-only|"Core Microsoft Apps" does not cover other Microsoft apps.|||share
    - evidence/targeting/core-microsoft-apps|"Core Microsoft Apps" covers Edge, Excel, Office, OneDrive, OneNote, Outlook, PowerPoint, SharePoint, Teams, To Do and Word.|sendManagedAppsToUnmanaged||share
    - evidence/targeting/microsoft-apps|"Microsoft Apps" covers all Microsoft apps with the SDK.|sendManagedAppsToUnmanaged||share
    - evidence-open/enrollment/changes-seen-after-8-hours|Users who are signed in may see a change of a policy only after 8 hours.|printingBlocked|printBlocked|print|newPoliciesReceived|||Learn, "Understand app protection policy delivery timing": every 30 minutes. The sentence allows an earlier check-in.|expected verdict blocked, found verdict allowed|blocked
    documentation|2018-06-21|https://github.com/MicrosoftDocs/IntuneDocs/pull/1163|Adding the IntuneMAMUPN requirement for managed vs un-managed MAM policies
    - evidence/targeting/managed-devices-need-the-upn|A policy for managed devices needs IntuneMAMUPN in the app on iOS.||IntuneMAMUPN|share
    - evidence/targeting/managed-devices-with-the-upn|With IntuneMAMUPN, the policy for managed devices applies.|sendManagedAppsToUnmanaged|IntuneMAMUPN|share
    documentation|2019-02-05|https://github.com/MicrosoftDocs/IntuneDocs/pull/1887|Make the requirements for the App Config more clear
    - evidence/targeting/upn-needs-an-mdm-app|IntuneMAMUPN counts only in an app that MDM manages, from the Company Portal or pushed as required.||IntuneMAMUPN|print
    documentation|2023-12-09|https://learn.microsoft.com/en-us/intune/intune-service/developer/app-sdk-ios-phase7|Intune App SDK for iOS, stage 7, Web-view features
    - evidence/web-views/all-unmanaged|With TreatAllWebViewsAsUnmanaged, actions in a web view count as those of an unmanaged user.|webViewUnmanaged sendManagedAppsToUnmanaged|allowedOutboundDataTransferDestinations TreatAllWebViewsAsUnmanaged|webView
    - evidence/web-views/current-identity-by-default|By default, a web view belongs to the current UI identity, so the managed account's policy applies to its text.|webViewOfIdentity||webView
    - evidence/web-views/unmanaged-user|A web view of an unmanaged user has no restriction.|||webView
    maintainer|2023-10-16|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/369|Selective data wipe not working upon delete request
    - evidence/wipe/at-the-check-in-of-30-minutes|A wipe request comes with a policy check-in, in most cases within 30 minutes, not within 15.||||unenrollmentSuccess
    - evidence/wipe/failed-check-in-delays-the-wipe|If the check-in fails, a later check-in brings the wipe request.||||unenrollmentSuccess
    documentation|2022-03-29|https://learn.microsoft.com/en-us/intune/intune-service/apps/apps-selective-wipe|How to wipe only corporate data from Intune-managed apps
    - evidence/wipe/needs-the-app-to-open|The user must open the app for the wipe to happen.||||unenrollmentSuccess
    - evidence/wipe/on-launch|A wipe request that waits happens when the app is opened.||||unenrollmentSuccess
    - evidence/wipe/only-org-data|A selective wipe removes the org data and keeps personal data.||||unenrollmentSuccess
    - evidence/wipe/other-apps-keep-their-data|A wipe request names an app; other apps of the account keep their data.
    - evidence/wipe/user-level-wipe-ends|After the user is removed from the list, the account works again.||||newPoliciesReceived policiesHaveNotChanged wipeReceived
    - evidence/wipe/user-level-wipe-repeats|A user-level wipe is sent at every check-in until the administrator removes the user from the list.||||wipeReceived
    documentation|2024-06-12|https://learn.microsoft.com/en-us/intune/intune-service/apps/apps-selective-wipe|How to wipe only corporate data from Intune-managed apps
    - evidence/wipe/synced-contacts|A wipe removes the contacts that the app has synced to the device.||contactSyncBlocked|contactSync
    maintainer|2021-06-23|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/179|App crash on logout (call to deRegisterAndUnenrollAccount method)
    - evidence/wipe/unenrollment-wipes-through-the-sdk|Unenrollment with a wipe is carried out by the SDK unless the app removes the data itself.
    maintainer|2020-02-24|https://github.com/AzureAD/azure-activedirectory-library-for-objc/issues/1521|ADAL with Intune
    - evidence-open/conditional-access/approved-app-list|"Require approved client app" admits only apps of Microsoft's list, so an app of one's own gets no token.||||newPoliciesReceived|||Learn, "Migrate approved client app to application protection policy in Conditional Access": since July 2026, the control is not enforced.|expected verdict blocked, found verdict allowed|blocked
    device-log|2025-01-07|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/515|APP Not Applying Despite Receiving Event with Intune SDK Integration
    - evidence-open/files/file-encryption-required-in-a-log|The log of a device has RequireFileEncryption true.|fileEncryptionRequired|appDataEncryptionType|fileEncryption||||Issue 160 (a maintainer, 2021) and Learn's log reference, which lists the name as not used by the service.|allowed by fileEncryptionByDevice|encrypted
    release-note|2019-03-25|https://github.com/MicrosoftDocs/IntuneDocs/blob/master/intune/fundamentals/whats-new-archive.md|What's new in Microsoft Intune, archive
    - evidence-open/functions/keyboards-not-enforced-in-2019|From March 2019 on, until the setting came back, the SDK did not enforce "Third-party keyboards".|keyboardsBlocked|thirdPartyKeyboardsBlocked|keyboard||11.0.9||The same archive, February 2020: apps with SDK 12.0.12 and earlier behave as before, and block third-party keyboards for the org account.|blocked by keyboardsBlocked|allowed
    report|2025-03-27|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/545|AppConfig (Managed Devices) does not support "com.microsoft.intune.mam.screencapturecontrol"
    - evidence-open/functions/screen-capture-key-on-managed-devices|A managed-devices configuration with com.microsoft.intune.mam.screencapturecontrol = Disabled does not allow screen capture.|screenCaptureControlDisabled screenCaptureFollowsSend|allowedOutboundDataTransferDestinations com.microsoft.intune.mam.screencapturecontrol|screenCapture|||18|Another user of the same thread (2025-04-04) reports that the key worked on MDM and on unmanaged devices.|expected verdict blocked, found verdict allowed|blocked
    maintainer|2023-03-31|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/320|Shared offline grace period timer and identifier of the keychain to the shared
    - evidence-open/launch/grace-shared-by-publisher|The offline grace timer for blocking is shared by the apps of one publisher.|offlineGraceBlocks|periodOfflineBeforeAccessCheck|print|policiesHaveNotChanged|||Issue 338 (2023-05-31) withdraws it: each app now has a timer of its own.|expected verdict allowed, found verdict blocked|allowed
    documentation|2020-03-10|https://learn.microsoft.com/en-us/intune/intune-service/apps/manage-microsoft-edge|Manage Microsoft Edge for iOS and Android with Intune
    - evidence-open/links/edge-without-a-policy|An Edge that no policy targets cannot open links of managed apps.||managedBrowser|openURL|||||expected verdict blocked, found verdict allowed|blocked
    release-note||https://github.com/microsoftconnect/ms-intune-app-sdk-ios/releases/tag/14.0.0|Release notes 14.0.0
    - evidence-open/links/tel-was-exempt-before-14-0-0|Before SDK 14.0.0, tel and telprompt were in the SDK's own list of exemptions, so phone links worked under "Policy managed apps".|unmanagedScheme|allowedOutboundDataTransferDestinations dialerRestrictionLevel|openURL||14.0.0||Learn, iOS app protection policy settings, Data transfer exemptions, places the exemption in the policies created before June 15, 2020, and recommends an exemption of tel and telprompt to apps with an SDK before 12.7.0, which they would not need.|blocked by unmanagedScheme|allowed
    report|2021-01-27|https://github.com/MicrosoftDocs/memdocs/issues/1266|Minimum PIN length
    - evidence-open/pin/length-is-exact|On iOS, a PIN has exactly the minimum length: a longer one cannot be set.||minimumPinLength|||||Learn, iOS app protection policy settings (2025), calls it the minimum number of digits; its authors stated an exact number in 2022 and reverted that (memdocs, pull requests 3177 and 3309).|expected verdict blocked, found verdict allowed|blocked
    report|2019-03-03|https://github.com/MicrosoftDocs/IntuneDocs/issues/2067|Wiping data on BYOD device doesn't request user password in outlook when user re-adds account IOS
    - evidence-open/pin/new-pin-after-a-wipe|After a wipe request, a user who adds the account again sets a new PIN.|pinAsked|pinRequired|print||||Learn, "App protection policies overview" (2025-09-29): a wipe keeps the PIN. SDK 16.0.0 fixed that the SDK sometimes asked for a new one.|expected reason pinNotSet, found reason pinAsked
    report|2025-03-17|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/543|"Action Not Allowed" persists when navigating back to app using url scheme if Edge not previously enrolled
    - evidence-open/receiving/url-of-edge-without-account|A URL scheme that brings the user back from Edge is not allowed until Edge is enrolled.||allowedInboundDataTransferSources|openURL||||ms-intune-app-sdk-ios, issue 565: with Receive "Policy managed apps", the same return works from unmanaged browsers such as Chrome.|expected verdict blocked, found verdict allowed|blocked
    release-note|2019-11-18|https://github.com/MicrosoftDocs/IntuneDocs/blob/master/intune/fundamentals/whats-new-archive.md|What's new in Microsoft Intune, archive
    - evidence-open/sending/protected-sharing-needs-8-1-1|Apps with an SDK older than 8.1.1 cannot read protected data that a newer SDK shares, because keys have 256 bits.|sendManagedAppsToManaged||share||8.1.1|||allowed by sendManagedAppsToManaged|blocked
    documentation|2026-03-30|https://learn.microsoft.com/en-us/troubleshoot/mem/intune/app-management/saving-images-locally-not-restricted|App protection policy doesn't restrict saving images locally in Outlook for iOS
    - evidence-open/storage/outlook-images-are-not-restricted|The storage services of a policy do not restrict saving images of messages from Outlook for iOS.|saveServiceNotSelected|allowedDataStorageLocations|saveTo||||Learn, "iOS app protection policy settings": saving to the photo library needs Photo Library among the selected services.|blocked by saveServiceNotSelected|allowed
    maintainer|2021-09-20|https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/200|Alert: action not allowed
    - evidence-open/storage/photo-library-blocked-by-send|Saving to the photo library is blocked by Send "Policy managed apps", because Photos is not a managed app; only "All apps" allows it.|saveNotRestricted|allowedOutboundDataTransferDestinations saveAsBlocked|saveTo||||Learn (2025) has a Photo Library choice under "Save copies of org data", so that setting decides; the answer is older than the choice.|allowed by saveNotRestricted|blocked
    documentation|2021-01-14|https://github.com/MicrosoftDocs/memdocs/pull/1221|Update apps-selective-wipe.md
    - evidence-open/wipe/needs-a-protection-policy|A selective wipe on iOS needs an app protection policy; an account that only has a configuration keeps its data.||||newPoliciesReceived|||Until January 2021, the same page stated that no app protection policy is needed.|expected received text `Figures`
    """#
}
