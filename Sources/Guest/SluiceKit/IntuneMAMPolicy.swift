public import Model
internal import Wire

/// The policy of the account that the app acts for (`IntuneMAMPolicy` of the Intune App SDK).
///
/// Every question is put to the device, which knows the account and its policy; nothing moves. Where the account
/// is unmanaged, everything is allowed. The real SDK answers at once; here the answer comes to `completion`.
public final class IntuneMAMPolicy {
  private let host: any HostPort

  init(_ host: any HostPort) { self.host = host }

  /// Asks whether copies of the account's data may be saved to a location of `accountId`, nil where that is not
  /// known.
  public func isSaveToAllowed(
    for location: StorageLocation, accountId: String?, completion: @escaping (Bool) -> Void
  ) {
    ask(.saveTo, location, accountId, completion)
  }

  /// Asks whether data may be opened from a location of `accountId`, nil where that is not known.
  public func isOpenFromAllowed(
    for location: StorageLocation, accountId: String?, completion: @escaping (Bool) -> Void
  ) {
    ask(.openFrom, location, accountId, completion)
  }

  /// Asks ``isSaveToAllowed(for:accountId:completion:)`` for every location.
  public func getSaveToLocations(
    forAccountId accountId: String?,
    completion: @escaping ([StorageLocation: Bool]) -> Void
  ) {
    askAll(.saveTo, StorageLocation.saveLocations, accountId, completion)
  }

  /// Asks ``isOpenFromAllowed(for:accountId:completion:)`` for every location.
  public func getOpenFromLocations(
    forAccountId accountId: String?,
    completion: @escaping ([StorageLocation: Bool]) -> Void
  ) {
    askAll(.openFrom, StorageLocation.openLocations, accountId, completion)
  }

  /// Asks whether the URL may be opened.
  ///
  /// - Parameter isKnownManagedAppScheme: whether the app knows the scheme as that of an app with the SDK.
  public func isURLAllowed(
    _ url: String, isKnownManagedAppScheme: Bool = false, completion: @escaping (Bool) -> Void
  ) {
    let question = OpenURL(
      url, isKnownManagedScheme: isKnownManagedAppScheme, isQuestion: true)
    host.request(.openURL(question)) { completion($0.isAllowed) }
  }

  /// Asks whether the link may be opened in the app that claims it.
  public func isUniversalLinkAllowed(_ url: String, completion: @escaping (Bool) -> Void) {
    isURLAllowed(url, completion: completion)
  }

  /// Asks whether the account may have an item that was shared with an extension.
  ///
  /// - Throws: ``ItemProviderError/notLoaded`` before a representation of the item has been loaded.
  public func canReceiveSharedItemProvider(
    _ provider: ItemProvider, completion: @escaping (Bool) -> Void
  ) throws(ItemProviderError) {
    guard let item = provider.loaded else { throw .notLoaded }
    canReceiveSharedFile(item, completion: completion)
  }

  /// Asks whether the account may have a file, or another item, that came in.
  public func canReceiveSharedFile(_ file: ReceivedItem, completion: @escaping (Bool) -> Void) {
    host.request(.canReceive(file.item)) { completion($0.isAllowed) }
  }

  /// Asks whether the document picker may be used in that mode.
  public func isDocumentPickerAllowed(
    _ mode: DocumentPickerMode, completion: @escaping (Bool) -> Void
  ) {
    ask(mode.isIncoming ? .documentPickerImport : .documentPickerExport, completion)
  }

  /// Asks whether data may be shared with the app's Safari web extension.
  public func isAppSharingAllowed(completion: @escaping (Bool) -> Void) {
    ask(.safariExtension, completion)
  }

  /// Asks whether the account's data may be printed.
  public func isPrintingAllowed(completion: @escaping (Bool) -> Void) { ask(.print, completion) }

  /// Asks whether contacts may be written to the device's own.
  public func isContactSyncAllowed(completion: @escaping (Bool) -> Void) {
    ask(.contactSync, completion)
  }

  /// Asks whether widgets may show the account's data.
  public func isWidgetContentSyncAllowed(completion: @escaping (Bool) -> Void) {
    ask(.widget, completion)
  }

  /// Asks whether Spotlight may index the account's data.
  public func isSpotlightIndexingAllowed(completion: @escaping (Bool) -> Void) {
    ask(.spotlight, completion)
  }

  /// Asks whether Siri intents may have the account's data.
  public func areSiriIntentsAllowed(completion: @escaping (Bool) -> Void) {
    ask(.siriIntents, completion)
  }

  /// Asks whether App Intents may have the account's data.
  public func areAppIntentsAllowed(completion: @escaping (Bool) -> Void) {
    ask(.appIntents, completion)
  }

  /// Asks whether the screen may be captured.
  public func isScreenCaptureAllowed(completion: @escaping (Bool) -> Void) {
    ask(.screenCapture, completion)
  }

  /// Asks whether web links must be opened in the managed browser.
  public func isManagedBrowserRequired(completion: @escaping (Bool) -> Void) {
    host.request(.openURL(OpenURL("https://www.example.com/", isQuestion: true))) {
      completion($0.cites("managedBrowserRequired") || $0.cites("managedBrowserUsed"))
    }
  }

  /// Asks whether the app has to encrypt managed files.
  public func isFileEncryptionRequired(completion: @escaping (Bool) -> Void) {
    host.request(.use(SystemHandOff(channel: Channel.fileEncryption.rawValue))) {
      completion($0.verdict == .encrypted)
    }
  }

  /// Asks for the content that notifications of the account may show.
  public func notificationPolicy(completion: @escaping (IntuneMAMNotificationPolicy) -> Void) {
    host.request(.use(SystemHandOff(channel: Channel.notification.rawValue))) { outcome in
      completion(IntuneMAMNotificationPolicy(outcome))
    }
  }

  private func ask(_ channel: Channel, _ completion: @escaping (Bool) -> Void) {
    host.request(.use(SystemHandOff(channel: channel.rawValue))) { completion($0.isAllowed) }
  }

  private func ask(
    _ channel: Channel, _ location: StorageLocation, _ accountId: String?,
    _ completion: @escaping (Bool) -> Void
  ) {
    let question = SystemHandOff(
      channel: channel.rawValue, location: location.rawValue, account: accountId)
    host.request(.use(question)) { completion($0.isAllowed) }
  }

  private func askAll(
    _ channel: Channel, _ locations: [StorageLocation], _ accountId: String?,
    _ completion: @escaping ([StorageLocation: Bool]) -> Void
  ) {
    var answers: [StorageLocation: Bool] = [:]
    for location in locations {
      ask(channel, location, accountId) { isAllowed in
        answers[location] = isAllowed
        if answers.count == locations.count { completion(answers) }
      }
    }
  }
}

/// The purpose for which the system's document picker is opened (`UIDocumentPickerMode`).
public enum DocumentPickerMode: Sendable, CaseIterable {
  case `import`
  case open
  case exportToService
  case moveToService

  fileprivate var isIncoming: Bool { self == .import || self == .open }
}

/// The content that notifications may show. Raw values are the SDK's.
public enum IntuneMAMNotificationPolicy: Int, Sendable, CaseIterable {
  case allow = 0
  /// No data of the organisation: "You've got mail".
  case blockOrgData = 1
  case block = 2

  fileprivate init(_ outcome: RequestOutcome) {
    self =
      if outcome.cites("notificationsBlocked") {
        .block
      } else if outcome.isAllowed {
        .allow
      } else {
        .blockOrgData
      }
  }
}

extension RequestOutcome {
  fileprivate var isAllowed: Bool { verdict != .blocked && end != .refused }

  fileprivate func cites(_ rule: String) -> Bool { reasons.contains { $0.rule == rule } }
}
