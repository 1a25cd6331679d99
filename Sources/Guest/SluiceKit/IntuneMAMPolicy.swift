public import Model
internal import Wire

/// Answers queries about the policy of the account that the app acts for (`IntuneMAMPolicy` of the
/// Intune App SDK).
///
/// The device answers each query; no data is transferred. If the account is unmanaged, no policy restricts it. The
/// real SDK returns its answers synchronously; Sluice passes them to `completion`.
public final class IntuneMAMPolicy {
  private let host: any HostPort

  init(_ host: any HostPort) { self.host = host }

  /// Checks whether copies of the acting account's data may be saved to a storage location.
  ///
  /// - Parameter accountId: The account that owns the location; `""` if unknown, nil if no account owns it.
  public func isSaveToAllowed(
    for location: StorageLocation, accountId: String?, completion: @escaping (Bool) -> Void
  ) {
    ask(.saveTo, location, accountId, completion)
  }

  /// Checks whether the acting account may open data from a storage location.
  ///
  /// - Parameter accountId: The account that owns the location; `""` if unknown, nil if no account owns it.
  public func isOpenFromAllowed(
    for location: StorageLocation, accountId: String?, completion: @escaping (Bool) -> Void
  ) {
    ask(.openFrom, location, accountId, completion)
  }

  /// Checks ``isSaveToAllowed(for:accountId:completion:)`` for every location.
  public func getSaveToLocations(
    forAccountId accountId: String?,
    completion: @escaping ([StorageLocation: Bool]) -> Void
  ) {
    askAll(.saveTo, StorageLocation.saveLocations, accountId, completion)
  }

  /// Checks ``isOpenFromAllowed(for:accountId:completion:)`` for every location.
  public func getOpenFromLocations(
    forAccountId accountId: String?,
    completion: @escaping ([StorageLocation: Bool]) -> Void
  ) {
    askAll(.openFrom, StorageLocation.openLocations, accountId, completion)
  }

  /// Checks whether the URL may be opened.
  ///
  /// - Parameter isKnownManagedAppScheme: Whether the caller knows that an app with the
  ///   SDK registered the scheme.
  public func isURLAllowed(
    _ url: String, isKnownManagedAppScheme: Bool = false, completion: @escaping (Bool) -> Void
  ) {
    let question = OpenURL(
      url, isKnownManagedScheme: isKnownManagedAppScheme, isQuestion: true)
    host.request(.openURL(question)) { completion($0.isAllowed) }
  }

  /// Checks whether the universal link may be opened in the app that claims it.
  public func isUniversalLinkAllowed(_ url: String, completion: @escaping (Bool) -> Void) {
    isURLAllowed(url, completion: completion)
  }

  /// Checks whether the acting account may receive an item that was shared with an extension.
  ///
  /// - Throws: ``ItemProviderError/notLoaded`` if no representation of the item has been loaded.
  public func canReceiveSharedItemProvider(
    _ provider: ItemProvider, completion: @escaping (Bool) -> Void
  ) throws(ItemProviderError) {
    guard let item = provider.loaded else { throw .notLoaded }
    canReceiveSharedFile(item, completion: completion)
  }

  /// Checks whether the acting account may receive a file or another incoming item.
  public func canReceiveSharedFile(_ file: ReceivedItem, completion: @escaping (Bool) -> Void) {
    host.request(.canReceive(file.item)) { completion($0.isAllowed) }
  }

  /// Checks whether the document picker may be used in this mode.
  public func isDocumentPickerAllowed(
    _ mode: DocumentPickerMode, completion: @escaping (Bool) -> Void
  ) {
    ask(mode.isIncoming ? .documentPickerImport : .documentPickerExport, completion)
  }

  /// Checks whether data may be shared with the app's Safari web extension.
  public func isAppSharingAllowed(completion: @escaping (Bool) -> Void) {
    ask(.safariExtension, completion)
  }

  public func isPrintingAllowed(completion: @escaping (Bool) -> Void) { ask(.print, completion) }

  /// Checks whether contacts may be synced to the device's address book.
  public func isContactSyncAllowed(completion: @escaping (Bool) -> Void) {
    ask(.contactSync, completion)
  }

  /// Checks whether widgets may show the account's data.
  public func isWidgetContentSyncAllowed(completion: @escaping (Bool) -> Void) {
    ask(.widget, completion)
  }

  public func isSpotlightIndexingAllowed(completion: @escaping (Bool) -> Void) {
    ask(.spotlight, completion)
  }

  /// Checks whether Siri intents may use the account's data.
  public func areSiriIntentsAllowed(completion: @escaping (Bool) -> Void) {
    ask(.siriIntents, completion)
  }

  /// Checks whether App Intents may use the account's data.
  public func areAppIntentsAllowed(completion: @escaping (Bool) -> Void) {
    ask(.appIntents, completion)
  }

  public func isScreenCaptureAllowed(completion: @escaping (Bool) -> Void) {
    ask(.screenCapture, completion)
  }

  /// Checks whether web links must be opened in the managed browser.
  public func isManagedBrowserRequired(completion: @escaping (Bool) -> Void) {
    host.request(.openURL(OpenURL("https://www.example.com/", isQuestion: true))) {
      completion($0.cites("managedBrowserRequired") || $0.cites("managedBrowserUsed"))
    }
  }

  /// Checks whether the app must encrypt managed files.
  public func isFileEncryptionRequired(completion: @escaping (Bool) -> Void) {
    host.request(.use(Use(channel: Channel.fileEncryption.rawValue))) {
      completion($0.verdict == .encrypted)
    }
  }

  /// Requests the kind of content that notifications for the account may show.
  public func notificationPolicy(completion: @escaping (IntuneMAMNotificationPolicy) -> Void) {
    host.request(.use(Use(channel: Channel.notification.rawValue))) { outcome in
      completion(IntuneMAMNotificationPolicy(outcome))
    }
  }

  private func ask(_ channel: Channel, _ completion: @escaping (Bool) -> Void) {
    host.request(.use(Use(channel: channel.rawValue))) { completion($0.isAllowed) }
  }

  private func ask(
    _ channel: Channel, _ location: StorageLocation, _ accountId: String?,
    _ completion: @escaping (Bool) -> Void
  ) {
    let question = Use(
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

/// The mode of the system's document picker (`UIDocumentPickerMode`).
public enum DocumentPickerMode: Sendable, CaseIterable {
  case `import`
  case open
  case exportToService
  case moveToService

  fileprivate var isIncoming: Bool { self == .import || self == .open }
}

/// The content that notifications may show. Raw values match the SDK's.
public enum IntuneMAMNotificationPolicy: Int, Sendable, CaseIterable {
  case allow = 0
  /// Notifications show texts such as "You've got mail" instead of org data.
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
