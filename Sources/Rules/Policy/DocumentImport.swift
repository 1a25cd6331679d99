public import Model

/// The request that a multi-identity app may make instead of a refused one: the same data, received by an
/// unmanaged account.
///
/// The SDK asks the app for that switch (`identitySwitchRequired` with reason `documentImport`) before it
/// refuses. nil where the SDK does not ask: the app has one identity only, something else than "Receive data
/// from other apps" stands in the way, or nothing does.
/// Source: Microsoft Learn, "iOS app protection policy settings", Receive data from other apps.
public func documentImport(for request: TransferRequest, verdict: Verdict) -> TransferRequest? {
  guard request.receiver.app.isMultiIdentity, verdict.outcome == .blocked else { return nil }
  let switching: [Rule] = [.receiveNone, .receiveManagedAppsFromUnmanaged]
  for reason in verdict.reasons where reason.rule.effect == .blocked {
    guard switching.contains(reason.rule) else { return nil }
  }
  var request = request
  request.receiver.identity = .unknown
  request.receiver.policy = nil
  return request
}

/// The verdict of the receiving side alone, whatever the sending side says: the SDK's
/// `canReceiveSharedItemProvider(_:)` and `canReceiveSharedFile(_:)`.
public func evaluateReceiving(_ request: TransferRequest) -> Verdict {
  var reasons: [Reason] = []
  ReceiveRules.apply(to: request, into: &reasons)
  return Verdict(reasons)
}

/// The verdict on a request that ``documentImport(for:verdict:)`` made, once the app has switched: its
/// first reason says that the switch took place.
public func evaluate(importing request: TransferRequest) -> Verdict {
  let switched = Reason(.documentImport, .receiver, .allowedInboundDataTransferSources)
  return Verdict([switched] + evaluate(request).reasons)
}
