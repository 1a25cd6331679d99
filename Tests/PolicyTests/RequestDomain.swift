import Model
import Policy

/// Parties, contents and device states whose combinations are compared.
struct RequestDomain {
  var channels: [Channel]
  var vias: [SharingPath] = [.sdk]
  var senders: [Party]
  /// The owners in addition to the sender's own account.
  var owners: [Owner]
  var receivers: [Party] = [.system]
  var appPolicies: [EffectivePolicy?] = [nil]
  var contents = [Content()]
  var devices = [DeviceRestrictions()]

  func expectAgreement(on count: Int, outcomes: Set<Outcome>? = nil) {
    var comparison = Comparison()
    compare(&comparison)
    comparison.expectAgreement(on: count, channels: channels, outcomes: outcomes)
  }

  func compare(_ comparison: inout Comparison) {
    for channel in channels {
      for sender in senders {
        for owner in owners(beside: sender) {
          for receiver in receivers where !comparison.isFull {
            compare(
              TransferRequest(channel: channel, sender: sender, owner: owner, receiver: receiver),
              &comparison)
          }
        }
      }
    }
  }

  private func compare(_ parties: TransferRequest, _ comparison: inout Comparison) {
    var request = parties
    for via in vias {
      request.via = via
      for appPolicy in appPolicies {
        request.appPolicy = appPolicy
        for content in contents {
          request.content = content
          for device in devices where !comparison.isFull {
            request.device = device
            comparison.check(request)
          }
        }
      }
    }
  }

  private func owners(beside sender: Party) -> [Owner] {
    guard let account = sender.identity.account else { return owners }
    return owners + [Owner(account: account, policy: sender.policy)]
  }
}

// MARK: - People and parties

extension RequestDomain {
  private static let tenant = "7c1d5a0e-0000-4000-8000-000000000001"
  private static let otherTenant = "7c1d5a0e-0000-4000-8000-000000000002"
  static let anna = Account(upn: "anna@contoso.com", objectID: "a1", tenantID: tenant)
  static let bert = Account(upn: "bert@contoso.com", objectID: "b2", tenantID: tenant)
  static let carl = Account(upn: "carl@fabrikam.com", objectID: "c3", tenantID: otherTenant)
  static let dora = Account(upn: "dora@outlook.com")

  static let home = AppState(bundleID: "com.example.mail")
  static let away = AppState(bundleID: "com.example.notes")
  static let enrolledHome = AppState(bundleID: "com.example.mail", hasEnrolledUPN: true)

  static let flags = [false, true]

  /// Returns no account, an unknown account, Anna unmanaged, and Anna under each policy.
  static func senders(
    _ policies: [EffectivePolicy], in apps: [AppState] = [home]
  ) -> [Party] {
    apps.flatMap { app in
      unmanaged(in: app)
        + policies.map { Party(app: app, identity: .account(anna), policy: $0) }
    }
  }

  /// Returns no account, an unmanaged account, and a colleague and a stranger under each policy as
  /// separate objects.
  static func owners(_ policies: [EffectivePolicy]) -> [Owner] {
    [Owner(), Owner(account: dora)]
      + [bert, carl].flatMap { account in
        policies.map { Owner(account: account, policy: EffectivePolicy(settings: $0.settings)) }
      }
  }

  /// Returns a colleague and a stranger under one policy object.
  static func owners(sharing policy: EffectivePolicy) -> [Owner] {
    [bert, carl].map { Owner(account: $0, policy: policy) }
  }

  /// Returns the parties in each app: no account, an unknown account, Anna unmanaged, and Anna, a
  /// colleague and a stranger under each policy.
  static func receivers(
    _ policies: [EffectivePolicy], in apps: [AppState] = [home, away]
  ) -> [Party] {
    apps.flatMap { app in
      unmanaged(in: app)
        + [anna, bert, carl].flatMap { account in
          policies.map { Party(app: app, identity: .account(account), policy: $0) }
        }
    }
  }

  /// The sender's app and another app, each installed by MDM or not.
  static let appsByInstaller = [home, away].flatMap { app in
    flags.map { isMDMManaged in
      var app = app
      app.isMDMManaged = isMDMManaged
      return app
    }
  }

  private static func unmanaged(in app: AppState) -> [Party] {
    [Identity.unset, .unknown, .account(anna)].map { Party(app: app, identity: $0) }
  }

  // MARK: Devices

  static let looseDevice = DeviceRestrictions(isMDMEnrolled: false)
  static let tightDevice = DeviceRestrictions(
    isMDMEnrolled: true, allowOpenFromManagedToUnmanaged: false)
  static let encryptingDevice = {
    var device = DeviceRestrictions()
    device.isFileEncryptionRequired = true
    return device
  }()

  /// The devices with every combination of enrollment and the two open-in restrictions.
  static let openInDevices = flags.flatMap { isEnrolled in
    flags.flatMap { fromManaged in
      flags.map { fromUnmanaged in
        DeviceRestrictions(
          isMDMEnrolled: isEnrolled, allowOpenFromManagedToUnmanaged: fromManaged,
          allowOpenFromUnmanagedToManaged: fromUnmanaged)
      }
    }
  }

  /// The devices with every combination of enrollment and the restrictions on system features.
  static let functionDevices = flags.flatMap { isEnrolled in
    flags.flatMap { screen in
      flags.flatMap { tools in
        flags.map { genmoji in
          DeviceRestrictions(
            isMDMEnrolled: isEnrolled, allowScreenShot: screen, allowWritingTools: tools,
            allowGenmoji: genmoji)
        }
      }
    }
  }

  /// The devices with every combination of enrollment and all other restrictions.
  static let everyDevice = openInDevices.flatMap { device in
    flags.flatMap { pasteboard in
      flags.flatMap { write in
        flags.map { read in
          var device = device
          device.requireManagedPasteboard = pasteboard
          device.allowManagedToWriteUnmanagedContacts = write
          device.allowUnmanagedToReadManagedContacts = read
          return device
        }
      }
    }
  }
}

/// Creates the policies of the finite domain.
extension RequestDomain {
  static func policy(_ edit: (inout Settings) -> Void) -> EffectivePolicy {
    var settings = Settings()
    edit(&settings)
    return EffectivePolicy(settings: settings)
  }

  /// Returns policies with every Send value and each of `edits`.
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

  /// Returns policies with every Receive value and each of `edits`.
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

  /// Policies with every Send value and every combination of its two flags.
  static let sendPolicies = sending(
    flags.flatMap { isSharing in
      flags.map { isFiltering in
        {
          $0.disableProtectionOfManagedOutboundOpenInData = isSharing
          $0.filterOpenInToOnlyManagedApps = isFiltering
        }
      }
    })

  /// Policies with every Receive value, with and without incoming org data.
  static let receivePolicies = receiving(
    flags.map { isProtecting in { $0.protectInboundDataFromUnknownSources = isProtecting } })

  /// Returns policies with every clipboard level and every exception length. Strict policies block
  /// all other transfers.
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

  /// Policies with every Send value, with and without exemptions, and with every choice of browser.
  static let urlPolicies = sending(
    [Set<String>(), ["https", "skype"]].flatMap { exempted in
      browsers.map { browser in
        {
          $0.exemptedAppProtocols = exempted
          browser(&$0)
        }
      }
    })

  /// Policies with every choice of browser, with and without each list of universal links.
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

  /// Policies with every dialer level or every messaging level, with and without a scheme and
  /// exemptions.
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

  /// Policies with every Send value, and with copies to any service, no service, and all services.
  /// Receive distinguishes owners if the location belongs to one of these accounts.
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

  /// Policies with copies to one service only, and to all except one.
  static let saveServicePolicies = Settings.StorageService.allCases.flatMap { service in
    [[service], Set(Settings.StorageService.allCases).subtracting([service])].map { services in
      policy {
        $0.allowedOutboundDataTransferDestinations = .managedApps
        $0.saveAsBlocked = true
        $0.allowedDataStorageLocations = services
      }
    }
  }

  /// Policies with every Receive value, and with documents from any location, no service, and all
  /// services.
  static let openPolicies = receiving([
    { $0.blockDataIngestionIntoOrganizationDocuments = false },
    { $0.blockDataIngestionIntoOrganizationDocuments = true },
    {
      $0.blockDataIngestionIntoOrganizationDocuments = true
      $0.allowedDataIngestionLocations = Set(Settings.IngestionService.allCases)
    },
  ])

  /// Policies with documents from one service only, and from all except one.
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

  /// Returns policies with every Send value and every value of the settings that channels to the
  /// system read.
  static func systemPolicies(for channel: Channel) -> [EffectivePolicy] {
    switch channel {
    case .mailComposer, .messageComposer: telephonePolicies
    case .print, .notification, .contactSync, .widget, .backup, .screenCapture, .writingTools,
      .genmoji, .keyboard, .fileEncryption:
      sending(values(decidingOn: channel))
    case .documentPickerImport: receivePolicies
    case .documentPickerExport, .spotlight, .siriIntents, .appIntents, .webView, .safariExtension:
      sendPolicies
    // These channels do not lead to the system.
    case .share, .openIn, .import, .extensionResult, .dragAndDrop, .clipboard, .contactRead,
      .openURL, .universalLink, .appClip, .saveTo, .openFrom:
      sendPolicies
    }
  }

  /// Returns every combination of the values of the settings that declare the channel.
  private static func values(decidingOn channel: Channel) -> [(inout Settings) -> Void] {
    let settings = Setting.allCases.filter { $0.decidedChannels.contains(channel) }
    return settings.reduce([{ _ in }]) { edits, setting in
      edits.flatMap { edit in
        (setting.domain?.values ?? []).map { value in
          {
            edit(&$0)
            value(&$0)
          }
        }
      }
    }
  }
}
