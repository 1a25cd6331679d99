import Model

/// Rules for storage locations that apply to both saving and opening.
private enum LocationRules {
  /// Returns the request's storage location. Returns nil and adds a reason if `known` does not contain the location, or
  /// if `account` names an account and the location never belongs to one.
  static func location(
    of request: TransferRequest, among known: [StorageLocation], for account: Identity,
    into reasons: inout [Reason]
  ) -> StorageLocation? {
    guard let location = request.content.location, known.contains(location) else {
      reasons.append(Reason(.noSuchLocation, .device))
      return nil
    }
    guard location.hasAccount || account.account == nil else {
      reasons.append(Reason(.locationHasNoAccount, .device))
      return nil
    }
    return location
  }

  /// Returns whether `account` is unset and means the app's current account, as in SDK releases before 15.1.0. If so,
  /// adds a reason.
  static func isCurrent(
    _ account: Identity, at location: StorageLocation, in app: AppState,
    into reasons: inout [Reason]
  ) -> Bool {
    guard location.hasAccount, case .unset = account, !app.has(.nilAccountIsUnmanaged) else {
      return false
    }
    reasons.append(Reason(.nilAccountIsCurrent, .device))
    return true
  }
}

// MARK: - Saving

/// The rules of "Save copies of org data", which the SDK evaluates in `isSaveToAllowed(for:accountId:)`.
enum SaveRules {
  static func apply(to asked: TransferRequest, into reasons: inout [Reason]) {
    let account = asked.receiver.identity
    guard
      let location = LocationRules.location(
        of: asked, among: StorageLocation.saveLocations, for: account, into: &reasons)
    else { return }
    guard LocationRules.isCurrent(account, at: location, in: asked.sender.app, into: &reasons)
    else { return decide(asked, location, into: &reasons) }
    var request = asked
    request.receiver = asked.sender
    decide(request, location, into: &reasons)
  }

  private static func decide(
    _ request: TransferRequest, _ location: StorageLocation, into reasons: inout [Reason]
  ) {
    send(request, location, into: &reasons)
    // Another managed account's storage accepts only data that the account may receive.
    if request.receiver.isManaged, !request.isReceiverOwner {
      ReceiveRules.apply(to: request, into: &reasons)
    }
  }

  private static func send(
    _ request: TransferRequest, _ location: StorageLocation, into reasons: inout [Reason]
  ) {
    let policies = request.sendingPolicies
    if let policy = policies.owner {
      reasons += self.reasons(policy.settings, .owner, location, request)
    }
    if let policy = policies.sender {
      reasons += self.reasons(policy.settings, .sender, location, request)
    }
    if policies.isEmpty { reasons.append(Reason(.unmanagedSender, .sender)) }
  }

  private static func reasons(
    _ settings: Settings, _ side: Side, _ location: StorageLocation, _ request: TransferRequest
  ) -> [Reason] {
    let send = Setting.allowedOutboundDataTransferDestinations
    switch settings.allowedOutboundDataTransferDestinations {
    case .allApps:
      let app = request.sender.app
      guard app.alwaysRestrictsSaving, app.has(.savingRestrictedUnderAllApps) else {
        return [Reason(.sendAllApps, side, send)]
      }
      return [
        restricted(settings, side, location, request), Reason(.saveAlwaysRestricted, side, send),
      ]
    case .none: return [Reason(.sendNone, side, send)]
    case .managedApps:
      return settings.saveAsBlocked
        ? [restricted(settings, side, location, request)]
        : [Reason(.saveNotRestricted, side, .saveAsBlocked)]
    }
  }

  /// Returns the reason that applies if "Save copies of org data" is "Block", or is treated as "Block".
  private static func restricted(
    _ settings: Settings, _ side: Side, _ location: StorageLocation, _ request: TransferRequest
  ) -> Reason {
    guard let service = location.storageService else {
      return Reason(.saveServiceNotOffered, side, .saveAsBlocked)
    }
    guard settings.allowedDataStorageLocations.contains(service) else {
      return Reason(.saveServiceNotSelected, side, .allowedDataStorageLocations)
    }
    guard !location.hasAccount || request.destination(from: side) == .sameAccount else {
      return Reason(.saveToOtherAccount, side, .saveAsBlocked)
    }
    return Reason(.saveToSelectedService, side, .allowedDataStorageLocations)
  }
}

extension TransferRequest {
  fileprivate var isReceiverOwner: Bool {
    guard let owner = owner.account, let receiver = receiver.identity.account else { return false }
    return owner.isSameUser(as: receiver)
  }
}

// MARK: - Opening

/// The rules of "Open data into Org documents" in the receiver's policy, which the SDK evaluates in
/// `isOpenFromAllowed(for:accountId:)`.
enum OpenRules {
  static func apply(to asked: TransferRequest, into reasons: inout [Reason]) {
    let account = asked.sender.identity
    guard
      let location = LocationRules.location(
        of: asked, among: StorageLocation.openLocations, for: account, into: &reasons)
    else { return }
    guard LocationRules.isCurrent(account, at: location, in: asked.receiver.app, into: &reasons)
    else { return decide(asked, location, into: &reasons) }
    var request = asked
    request.sender = asked.receiver
    request.owner = Owner(account: asked.receiver.identity.account, policy: asked.receiver.policy)
    decide(request, location, into: &reasons)
  }

  private static func decide(
    _ request: TransferRequest, _ location: StorageLocation, into reasons: inout [Reason]
  ) {
    // Another managed account's storage provides only data that the account may send.
    if let policy = request.sender.policy, !request.staysWithAccount {
      var request = request
      request.via = .sdk
      SendRules.apply(policy, .sender, to: request, into: &reasons)
    }
    reasons.append(reason(request, location))
  }

  private static func reason(_ request: TransferRequest, _ location: StorageLocation) -> Reason {
    guard let settings = request.receiver.policy?.settings else {
      return Reason(.unmanagedReceiver, .receiver)
    }
    let receive = Setting.allowedInboundDataTransferSources
    switch settings.allowedInboundDataTransferSources {
    case .allApps: return Reason(.receiveAllApps, .receiver, receive)
    case .none: return Reason(.receiveNone, .receiver, receive)
    case .managedApps: break
    }
    let block = Setting.blockDataIngestionIntoOrganizationDocuments
    guard settings.blockDataIngestionIntoOrganizationDocuments else {
      return Reason(.openNotRestricted, .receiver, block)
    }
    guard let service = location.ingestionService else {
      return Reason(.openServiceNotOffered, .receiver, block)
    }
    guard settings.allowedDataIngestionLocations.contains(service) else {
      return Reason(.openServiceNotSelected, .receiver, .allowedDataIngestionLocations)
    }
    guard !location.hasAccount || request.staysWithAccount else {
      return Reason(.openFromOtherAccount, .receiver, block)
    }
    return Reason(.openFromSelectedService, .receiver, .allowedDataIngestionLocations)
  }
}

extension TransferRequest {
  /// Whether the sender and the receiver act for the same account; false if either acts for no account.
  fileprivate var staysWithAccount: Bool {
    guard let sender = sender.identity.account, let receiver = receiver.identity.account else {
      return false
    }
    return sender.isSameUser(as: receiver)
  }
}

// MARK: - Services

extension StorageLocation {
  /// The option of "Allow user to save copies to selected services" that includes this location; nil if none does.
  var storageService: Settings.StorageService? {
    switch self {
    case .oneDriveForBusiness: .oneDriveForBusiness
    case .sharePoint: .sharePoint
    case .box: .box
    case .iManage: .iManage
    case .egnyte: .egnyte
    case .localDrive: .localStorage
    case .cameraRoll: .photoLibrary
    case .other, .dropbox, .googleDrive, .accountDocument, .camera, .localStorage, .photos: nil
    }
  }

  /// The option of "Allow users to open data from selected services" that includes this location; nil if none does.
  var ingestionService: Settings.IngestionService? {
    switch self {
    case .oneDriveForBusiness: .oneDriveForBusiness
    case .sharePoint: .sharePoint
    case .box: .box
    case .iManage: .iManage
    case .egnyte: .egnyte
    case .camera: .camera
    case .photos: .photoLibrary
    case .other, .dropbox, .googleDrive, .accountDocument, .localDrive, .localStorage, .cameraRoll:
      nil
    }
  }
}
