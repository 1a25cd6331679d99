import Model
import Policy
import PolicySupport

/// Shared accounts, policies and parties.
enum Fixtures {
  static let anna = Account(upn: "anna@contoso.com", objectID: "A-1", tenantID: "contoso")
  static let bob = Account(upn: "bob@contoso.com", objectID: "B-2", tenantID: "contoso")
  static let carl = Account(upn: "carl@fabrikam.com", objectID: "C-3", tenantID: "fabrikam")
  static let personal = Account(upn: "anna@outlook.com")

  /// Returns a policy with every setting on its own line.
  static func policy(
    file: String = "p.json", _ edit: (inout Settings) -> Void = { _ in }
  ) -> EffectivePolicy {
    var settings = Settings()
    edit(&settings)
    var origins: [Setting: EffectivePolicy.Origin] = [:]
    for setting in Setting.allCases {
      origins[setting] = .init(file: file, line: setting.line, policy: "test")
    }
    return EffectivePolicy(settings: settings, origins: origins)
  }

  static func send(_ destinations: Settings.Destinations) -> EffectivePolicy {
    policy { $0.allowedOutboundDataTransferDestinations = destinations }
  }

  static func receive(_ sources: Settings.Sources) -> EffectivePolicy {
    policy { $0.allowedInboundDataTransferSources = sources }
  }

  static func clipboard(
    _ level: Settings.ClipboardLevel, exception: Int = 0
  ) -> EffectivePolicy {
    policy {
      $0.allowedOutboundClipboardSharingLevel = level
      $0.allowedOutboundClipboardSharingExceptionLength = exception
    }
  }

  static func party(
    _ bundleID: String, _ account: Account?, _ policy: EffectivePolicy? = nil,
    isMultiIdentity: Bool = true, isMDMManaged: Bool = false, hasEnrolledUPN: Bool = false
  ) -> Party {
    Party(
      app: AppState(
        bundleID: bundleID, isMultiIdentity: isMultiIdentity, isMDMManaged: isMDMManaged,
        hasEnrolledUPN: hasEnrolledUPN),
      identity: account.map(Identity.account) ?? .unknown, policy: policy)
  }

  /// Returns a request whose sender owns the data.
  static func request(
    _ channel: Channel = .share, via: SharingPath = .sdk, from sender: Party, to receiver: Party,
    owner: Owner? = nil, content: Content = Content(),
    device: DeviceRestrictions = DeviceRestrictions()
  ) -> TransferRequest {
    TransferRequest(
      channel: channel, via: via, sender: sender,
      owner: owner ?? Owner(account: sender.identity.account, policy: sender.policy),
      receiver: receiver, content: content, device: device)
  }

  static func enrolled(allowsOpen: Bool = true) -> DeviceRestrictions {
    DeviceRestrictions(isMDMEnrolled: true, allowOpenFromManagedToUnmanaged: allowsOpen)
  }
}

extension Verdict {
  /// The reasons in a notation for tables, such as `sendNone(sender)`.
  var words: [String] { reasons.map { "\($0.rule.rawValue)(\($0.side.rawValue))" } }
}

/// Shared launch requests.
enum LaunchFixtures {
  static let now = 10_000_000
  static let minute = 60
  static let day = 86400

  /// Returns a launch that only the policy's `edit` can block.
  static func request(
    offering offer: AccessOffer = AccessOffer(), access: AccessState = AccessState(),
    _ edit: (inout Settings) -> Void = { _ in }
  ) -> LaunchRequest {
    LaunchRequest(
      policy: Fixtures.policy(edit), device: DevicePosture(osVersion: Version(17, 2)),
      app: AppState(bundleID: "app", sdkVersion: Version(20, 3)), appVersion: Version(4, 1),
      account: AccountConditions(lastCheckIn: now), access: access, offer: offer, now: now)
  }

  /// Returns a PIN that was set, and was last used `ago` seconds ago.
  static func access(
    _ pin: String = "1379", ago: Int = 10 * day, failedAttempts: Int = 0
  ) -> AccessState {
    AccessState(
      current: .init(PIN(pin), setAt: now - ago), failedAttempts: failedAttempts,
      lastUnlock: now - ago, lastSignIn: now - ago)
  }

  /// Returns the request with changes, such as another device, app or account.
  static func with(
    _ request: LaunchRequest, _ edit: (inout LaunchRequest) -> Void
  ) -> LaunchRequest {
    var request = request
    edit(&request)
    return request
  }
}

extension Verdict {
  /// The rules, in order.
  var rules: [Rule] { reasons.map(\.rule) }
}
