import Model
import Policy

/// Parties, contents and device states, all combinations of which are compared.
struct RequestDomain {
  var channels: [Channel]
  var vias: [SharingPath] = [.sdk]
  var senders: [Party]
  /// Besides the sender's own account.
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

  /// Nobody, an unknown account, Anna unmanaged, and Anna under each policy.
  static func senders(
    _ policies: [EffectivePolicy], in apps: [AppState] = [home]
  ) -> [Party] {
    apps.flatMap { app in
      unmanaged(in: app)
        + policies.map { Party(app: app, identity: .account(anna), policy: $0) }
    }
  }

  /// Nobody, an unmanaged account, and a colleague and a stranger under each policy, in an object of
  /// its own.
  static func owners(_ policies: [EffectivePolicy]) -> [Owner] {
    [Owner(), Owner(account: dora)]
      + [bert, carl].flatMap { account in
        policies.map { Owner(account: account, policy: EffectivePolicy(settings: $0.settings)) }
      }
  }

  /// A colleague and a stranger under one object.
  static func owners(sharing policy: EffectivePolicy) -> [Owner] {
    [bert, carl].map { Owner(account: $0, policy: policy) }
  }

  /// In each app: nobody, an unknown account, Anna unmanaged, and Anna, a colleague and a stranger
  /// under each policy.
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

  /// The sender's app and another, each installed by MDM and not.
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

  /// With every combination of enrollment and the two open-in restrictions.
  static let openInDevices = flags.flatMap { isEnrolled in
    flags.flatMap { fromManaged in
      flags.map { fromUnmanaged in
        DeviceRestrictions(
          isMDMEnrolled: isEnrolled, allowOpenFromManagedToUnmanaged: fromManaged,
          allowOpenFromUnmanagedToManaged: fromUnmanaged)
      }
    }
  }

  /// With every combination of enrollment and the restrictions on features of the system.
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

  /// With every combination of enrollment and all other restrictions.
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
