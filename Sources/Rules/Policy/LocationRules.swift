import Model

/// The rules of storage locations in both directions.
enum LocationRules {
  /// The location that `request` names, where it is one of `known` and can belong to `account`; otherwise nil, and
  /// `reasons` says why.
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

  /// Whether an absent account means the one that the app acts for, as before SDK 15.1.0; `reasons` says so.
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
