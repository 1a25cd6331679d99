/// The difference that faults make to the outcome of a share.
extension WalkModel {
  mutating func share(_ share: WalkStep.Share, under fault: WalkFault) -> WalkForecast {
    var forecast = self.share(share)
    // What is refused reaches no point.
    guard forecast.answer != .refused else { return forecast }
    let isStopped = fault.stopsDevice
    if !fault.isTooLateForItem, isStopped || fault.endedApp(of: share) == share.to {
      forecast.arrivals = []
    }
    if isStopped { dieWithDevice() }
    if let app = fault.endedApp(of: share) { exit(app) }
    return forecast
  }

  /// Ends every app; the device comes up again with what it keeps.
  private mutating func dieWithDevice() {
    for app in WalkApp.allCases { exit(app) }
    pasteboard = nil
  }
}
