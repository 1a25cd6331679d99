internal import Host
internal import Model
internal import Scenario

/// What a share says of the one run of an extension that it starts.
extension StepRun {
  /// Tells the run of the extension that the share is about to start what to hand back, or what its user taps.
  func prepareRun(for share: Action.Share) throws(HostError) {
    guard let guest else { return }
    if let handsBack = share.handsBack {
      try device.driver.prepareRun(of: share.to, startedBy: guest) { handsBack.change(&$0) }
    } else if !share.taps.isEmpty {
      openTaps = share.taps.count
      try device.driver.prepareRun(
        of: share.to, startedBy: guest, share.acts,
        acted: { [weak self] number, performance in
          self?.tapped(share.taps[number], in: share.to, performance)
        }, notBegun: { [weak self] in self?.tappedNothing(in: share.to) })
    }
  }

  /// No run of the extension has begun: the verdict or the end that the step states says whether that is right.
  private func tappedNothing(in name: String) {
    openTaps = 0
    let states = step.expectation.map { $0.verdict != nil || $0.end != nil } ?? false
    if !states { noteFailure("`\(name)` was not started, and its user tapped nothing") }
  }

  private func tapped(_ button: String, in name: String, _ performance: Performance) {
    openTaps -= 1
    if let failure = performance.failure {
      noteFailure("the user of `\(name)` cannot tap `\(button)`: \(failure)")
    }
    if endsWithTaps, openTaps == 0 { end() }
  }

  /// Has what the step told a run that never began count for no other.
  func forgetRun() {
    guard case .share(let share) = step.action, share.runKey != nil, let guest else { return }
    device.driver.forgetRun(of: share.to, startedBy: guest)
  }
}
