import Model
import Policy

/// The policies of the finite domain.
extension RequestDomain {
  static func policy(_ edit: (inout Settings) -> Void) -> EffectivePolicy {
    var settings = Settings()
    edit(&settings)
    return EffectivePolicy(settings: settings)
  }

  /// Every Send value, with each of `edits`.
  static func sending(
    _ edits: [(inout Settings) -> Void] = [{ _ in }]
  ) -> [EffectivePolicy] {
    Settings.Destinations.allCases.flatMap { send in
      edits.map { edit in
        policy {
          $0.allowedOutboundDataTransferDestinations = send
          edit(&$0)
        }
      }
    }
  }

  /// Every Receive value, with each of `edits`.
  static func receiving(
    _ edits: [(inout Settings) -> Void] = [{ _ in }]
  ) -> [EffectivePolicy] {
    Settings.Sources.allCases.flatMap { receive in
      edits.map { edit in
        policy {
          $0.allowedInboundDataTransferSources = receive
          edit(&$0)
        }
      }
    }
  }

  /// Every Send value with every combination of its two flags.
  static let sendPolicies = sending(
    flags.flatMap { isSharing in
      flags.map { isFiltering in
        {
          $0.disableProtectionOfManagedOutboundOpenInData = isSharing
          $0.filterOpenInToOnlyManagedApps = isFiltering
        }
      }
    })

  /// Every Receive value with and without incoming org data.
  static let receivePolicies = receiving(
    flags.map { isProtecting in { $0.protectInboundDataFromUnknownSources = isProtecting } })

  /// Every clipboard level with every exception length; strict ones block all other transfers.
  static func clipboardPolicies(exceptions: [Int], isStrict: Bool) -> [EffectivePolicy] {
    Settings.ClipboardLevel.allCases.flatMap { level in
      exceptions.map { length in
        policy {
          $0.allowedOutboundClipboardSharingLevel = level
          $0.allowedOutboundClipboardSharingExceptionLength = length
          $0.allowedOutboundDataTransferDestinations = isStrict ? .none : .allApps
          $0.allowedInboundDataTransferSources = isStrict ? .none : .allApps
        }
      }
    }
  }

  /// Every choice of browser.
  static var browsers: [(inout Settings) -> Void] {
    Settings.Browser.allCases.flatMap { browser in
      flags.flatMap { isRequired in
        ["", "firefox"].map { custom in
          {
            $0.managedBrowser = browser
            $0.managedBrowserToOpenLinksRequired = isRequired
            $0.customBrowserProtocol = custom
          }
        }
      }
    }
  }

  /// Every Send value with and without exemptions, with every choice of browser.
  static let urlPolicies = sending(
    [Set<String>(), ["https", "skype"]].flatMap { exempted in
      browsers.map { browser in
        {
          $0.exemptedAppProtocols = exempted
          browser(&$0)
        }
      }
    })

  /// Every choice of browser, with and without each list of universal links.
  static let linkPolicies = browsers.flatMap { browser in
    flags.flatMap { isExempting in
      flags.map { isManaging in
        policy {
          $0.allowedOutboundDataTransferDestinations = .managedApps
          browser(&$0)
          if isExempting { $0.exemptedUniversalLinks = [LinkPattern("https://*.contoso.com/*")] }
          if isManaging {
            $0.managedUniversalLinks = [
              LinkPattern("http://nowhere.example"), LinkPattern("https://*/docs/*"),
            ]
          }
        }
      }
    }
  }

  /// Every dialer level or every messaging level, with and without a scheme and exemptions.
  static let telephonePolicies = sending(
    [Set<String>(), ["tel", "sms"], ["mailto"]].flatMap { exempted in
      ["", "phone"].flatMap { scheme in
        zip(Settings.DialerLevel.allCases, Settings.MessagingRedirect.allCases).map { pair in
          {
            $0.exemptedAppProtocols = exempted
            $0.dialerRestrictionLevel = pair.0
            $0.customDialerAppProtocol = scheme
            $0.protectedMessagingRedirectAppType = pair.1
            $0.messagingRedirectAppUrlScheme = scheme
          }
        }
      }
    })

  // MARK: Storage

  /// Every Send value, with copies free, to no service, and to any. Receive tells owners apart where the
  /// location belongs to one of these accounts.
  static let savePolicies = sending([
    { $0.allowedInboundDataTransferSources = .managedApps },
    {
      $0.allowedInboundDataTransferSources = .managedApps
      $0.saveAsBlocked = true
    },
    {
      $0.allowedInboundDataTransferSources = .managedApps
      $0.saveAsBlocked = true
      $0.allowedDataStorageLocations = Set(Settings.StorageService.allCases)
    },
  ])

  /// Copies to one service only, and to all but one.
  static let saveServicePolicies = Settings.StorageService.allCases.flatMap { service in
    [[service], Set(Settings.StorageService.allCases).subtracting([service])].map { services in
      policy {
        $0.allowedOutboundDataTransferDestinations = .managedApps
        $0.saveAsBlocked = true
        $0.allowedDataStorageLocations = services
      }
    }
  }

  /// Every Receive value, with ingestion free, from no service, and from any.
  static let openPolicies = receiving([
    { $0.blockDataIngestionIntoOrganizationDocuments = false },
    { $0.blockDataIngestionIntoOrganizationDocuments = true },
    {
      $0.blockDataIngestionIntoOrganizationDocuments = true
      $0.allowedDataIngestionLocations = Set(Settings.IngestionService.allCases)
    },
  ])

  /// Ingestion from one service only, and from all but one.
  static let openServicePolicies = Settings.IngestionService.allCases.flatMap { service in
    [[service], Set(Settings.IngestionService.allCases).subtracting([service])].map { services in
      policy {
        $0.allowedInboundDataTransferSources = .managedApps
        $0.blockDataIngestionIntoOrganizationDocuments = true
        $0.allowedDataIngestionLocations = services
      }
    }
  }

  // MARK: Functionality

  /// Every Send value with every value of the settings that channels to the system read.
  static func systemPolicies(for channel: Channel) -> [EffectivePolicy] {
    switch channel {
    case .mailComposer, .messageComposer: telephonePolicies
    case .print: sending(flags.map { flag in { $0.printBlocked = flag } })
    case .notification:
      sending(
        Settings.NotificationRestriction.allCases.map { value in
          { $0.notificationRestriction = value }
        })
    case .contactSync: sending(flags.map { flag in { $0.contactSyncBlocked = flag } })
    case .widget: sending(flags.map { flag in { $0.allowWidgetContentSync = flag } })
    case .backup: sending(flags.map { flag in { $0.dataBackupBlocked = flag } })
    case .screenCapture:
      sending(states.map { state in { $0.screenCaptureConfigurationState = state } })
    case .writingTools:
      sending(states.map { state in { $0.writingToolsConfigurationState = state } })
    case .genmoji: sending(states.map { state in { $0.genmojiConfigurationState = state } })
    case .keyboard: sending(flags.map { flag in { $0.thirdPartyKeyboardsBlocked = flag } })
    case .fileEncryption:
      sending(Settings.Encryption.allCases.map { value in { $0.appDataEncryptionType = value } })
    case .documentPickerImport: receivePolicies
    case .documentPickerExport, .spotlight, .siriIntents, .appIntents, .webView, .safariExtension:
      sendPolicies
    // Not to the system
    case .share, .openIn, .import, .extensionResult, .dragAndDrop, .clipboard, .contactRead,
      .openURL, .universalLink, .appClip, .saveTo, .openFrom:
      sendPolicies
    }
  }

  private static let states: [Settings.ConfigurationState?] = [nil, .notBlocked, .blocked]
}
