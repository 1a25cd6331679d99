import Model
import Policy

extension TransferRequest {
  /// The request without what can be left out so that `isFailing` still holds.
  func simplified(while isFailing: (TransferRequest) -> Bool) -> TransferRequest {
    var smallest = self
    var isShrinking = true
    while isShrinking {
      isShrinking = false
      for edited in smallest.simpler where edited.summary.utf8.count < smallest.summary.utf8.count {
        guard isFailing(edited) else { continue }
        smallest = edited
        isShrinking = true
        break
      }
    }
    return smallest
  }

  /// The request with one thing left out or set to its default, in every way.
  private var simpler: [TransferRequest] {
    var requests = Self.edits.map { edit in
      var request = self
      edit(&request)
      return request
    }
    for policy in policies {
      requests.append(mappingPolicies { $0 === policy ? nil : $0 })
      for reset in SettingGroup.every {
        var settings = policy.settings
        reset.copy(Settings(), &settings)
        requests.append(replacing(policy, by: EffectivePolicy(settings: settings)))
      }
    }
    return requests
  }

  private static let edits: [@Sendable (inout TransferRequest) -> Void] = [
    { $0.owner = Owner() },
    { $0.sender = .system },
    { $0.receiver = .system },
    { $0.appPolicy = nil },
    { $0.via = .sdk },
    { $0.device = DeviceRestrictions() },
    { $0.device.allowOpenFromManagedToUnmanaged = true },
    { $0.device.allowOpenFromUnmanagedToManaged = true },
    { $0.device.requireManagedPasteboard = false },
    { $0.device.allowManagedToWriteUnmanagedContacts = false },
    { $0.device.allowUnmanagedToReadManagedContacts = false },
    { $0.device.allowScreenShot = true },
    { $0.device.allowWritingTools = true },
    { $0.device.allowGenmoji = true },
    { $0.sender.app = AppState(bundleID: $0.sender.app.bundleID) },
    { $0.sender.app.isMDMManaged = false },
    { $0.sender.app.isMultiIdentity = false },
    { $0.sender.app.hasEnrolledUPN = false },
    { $0.sender.app.linksSDK = false },
    { $0.sender.app.sdkVersion = nil },
    { $0.sender.app.isScreenCaptureControlDisabled = false },
    { $0.sender.app.webViews = .currentIdentity },
    { $0.receiver.app = AppState(bundleID: $0.receiver.app.bundleID) },
    { $0.receiver.app.isMDMManaged = false },
    { $0.receiver.app.isMultiIdentity = false },
    { $0.receiver.app.hasEnrolledUPN = false },
    { $0.receiver.app.linksSDK = false },
    { $0.receiver.app.sdkVersion = nil },
    { $0.receiver.app.isScreenCaptureControlDisabled = false },
    { $0.receiver.app.webViews = .currentIdentity },
    { $0.content = Content() },
    { $0.content.characters = nil },
    { $0.content.scheme = nil },
    { $0.content.isKnownManagedScheme = false },
    { $0.content.opensInManagedBrowser = false },
    { $0.content.link = nil },
    { $0.content.isExternalPage = false },
  ]
}
