import Model
import Policy

/// Evaluates storage locations, and the document picker that opens them.
extension NaiveEvaluator {
  /// The administrator's choices for a location.
  private enum Offer<Service> {
    /// The location does not exist in this direction.
    case notALocation
    /// No list contains the location.
    case unlisted
    case listed(Service)
  }

  private static func canHaveAccount(_ location: StorageLocation) -> Bool {
    switch location {
    case .cameraRoll, .camera, .photos: false
    case .other, .oneDriveForBusiness, .sharePoint, .box, .dropbox, .googleDrive, .localDrive,
      .accountDocument, .iManage, .egnyte, .localStorage:
      true
    }
  }

  /// Returns the location's account. It is `named`, or the `current` account if an old SDK
  /// interprets nil in this way.
  private static func holder(
    of location: StorageLocation, named: Party, current: Party
  ) -> Party {
    guard case .unset = named.identity else { return named }
    guard canHaveAccount(location), !has(named.app, Version(15, 1, 0)) else { return named }
    return current
  }

  // MARK: Save to

  static func saving(_ request: TransferRequest) -> Outcome {
    guard let location = request.content.location else { return .blocked }
    let offer = saveOffer(at: location)
    if case .notALocation = offer { return .blocked }
    if !canHaveAccount(location), request.receiver.identity.account != nil { return .blocked }

    let holder = holder(of: location, named: request.receiver, current: request.sender)
    for speaker in sendingSide(of: request) {
      let isOwn =
        !canHaveAccount(location) || isOwnManaged(holder, of: speaker.account)
      let settings = underConfiguration(speaker.policy.settings, of: request.sender.app)
      guard maySave(settings, offer, isOwn: isOwn) else { return .blocked }
    }
    guard let policy = holder.policy,
      isAnotherAccount(holder.identity.account, than: request.owner.account)
    else { return .allowed }
    return received(policy.settings, isOwnerManaged: request.owner.policy != nil)
  }

  /// Returns the settings that count for saving. The key of the app configuration is "equivalent" to blocking
  /// copies where all apps may receive data.
  private static func underConfiguration(_ settings: Settings, of app: AppState) -> Settings {
    guard app.alwaysRestrictsSaving, has(app, Version(12, 6, 1)), maySendAnywhere(settings) else {
      return settings
    }
    var settings = settings
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.saveAsBlocked = true
    return settings
  }

  private static func isOwnManaged(_ holder: Party, of account: Account?) -> Bool {
    guard holder.policy != nil, let account, let other = holder.identity.account else {
      return false
    }
    return account.isSameUser(as: other)
  }

  private static func maySave(
    _ settings: Settings, _ offer: Offer<Settings.StorageService>, isOwn: Bool
  ) -> Bool {
    switch (settings.allowedOutboundDataTransferDestinations, settings.saveAsBlocked, offer) {
    case (.allApps, _, _): true
    case (.none, _, _): false
    case (.managedApps, false, _): true
    case (.managedApps, true, .notALocation), (.managedApps, true, .unlisted): false
    case (.managedApps, true, .listed(let service)):
      settings.allowedDataStorageLocations.contains(service) && isOwn
    }
  }

  private static func saveOffer(at location: StorageLocation) -> Offer<Settings.StorageService> {
    switch location {
    case .oneDriveForBusiness: .listed(.oneDriveForBusiness)
    case .sharePoint: .listed(.sharePoint)
    case .box: .listed(.box)
    case .localDrive: .listed(.localStorage)
    case .cameraRoll: .listed(.photoLibrary)
    case .iManage: .listed(.iManage)
    case .egnyte: .listed(.egnyte)
    case .other, .dropbox, .googleDrive, .accountDocument: .unlisted
    case .camera, .localStorage, .photos: .notALocation
    }
  }

  // MARK: Open from

  static func opening(_ request: TransferRequest) -> Outcome {
    guard let location = request.content.location else { return .blocked }
    let offer = openOffer(at: location)
    if case .notALocation = offer { return .blocked }
    if !canHaveAccount(location), request.sender.identity.account != nil { return .blocked }

    let receiver = request.receiver
    let holder = holder(of: location, named: request.sender, current: receiver)
    if let policy = receiver.policy {
      let isOwn =
        !canHaveAccount(location) || isOwnManaged(holder, of: receiver.identity.account)
      guard mayOpen(policy.settings, offer, isOwn: isOwn) else { return .blocked }
    }
    guard let policy = holder.policy,
      isAnotherAccount(holder.identity.account, than: receiver.identity.account)
    else { return .allowed }
    let reader = FarEnd(
      from: holder.identity.account, to: receiver.identity.account, isManaged: receiver.isManaged)
    return mayBeRead(policy.settings, by: reader) ? .allowed : .blocked
  }

  private static func mayOpen(
    _ settings: Settings, _ offer: Offer<Settings.IngestionService>, isOwn: Bool
  ) -> Bool {
    let isRestricted = settings.blockDataIngestionIntoOrganizationDocuments
    return switch (settings.allowedInboundDataTransferSources, isRestricted, offer) {
    case (.allApps, _, _): true
    case (.none, _, _): false
    case (.managedApps, false, _): true
    case (.managedApps, true, .notALocation), (.managedApps, true, .unlisted): false
    case (.managedApps, true, .listed(let service)):
      settings.allowedDataIngestionLocations.contains(service) && isOwn
    }
  }

  private static func mayBeRead(_ settings: Settings, by reader: FarEnd) -> Bool {
    switch (settings.allowedOutboundDataTransferDestinations, reader) {
    case (.allApps, _): true
    case (.none, _): false
    case (.managedApps, .sameAccount), (.managedApps, .sameTenant): true
    case (.managedApps, .otherTenant), (.managedApps, .unmanaged): false
    }
  }

  private static func openOffer(at location: StorageLocation) -> Offer<Settings.IngestionService> {
    switch location {
    case .oneDriveForBusiness: .listed(.oneDriveForBusiness)
    case .sharePoint: .listed(.sharePoint)
    case .camera: .listed(.camera)
    case .photos: .listed(.photoLibrary)
    case .box: .listed(.box)
    case .iManage: .listed(.iManage)
    case .egnyte: .listed(.egnyte)
    case .other, .localStorage, .accountDocument: .unlisted
    case .dropbox, .googleDrive, .localDrive, .cameraRoll: .notALocation
    }
  }

  // MARK: Document picker

  /// Returns the outcome for the picker. Its documents have no owner.
  static func picking(_ request: TransferRequest) -> Outcome {
    guard let policy = request.receiver.policy else { return .allowed }
    return received(policy.settings, isOwnerManaged: false)
  }
}
