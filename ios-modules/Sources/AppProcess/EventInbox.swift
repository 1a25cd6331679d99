internal import SluiceKit
internal import Synchronization

/// What the device says to this process, kept back until the app has launched, except for what it was launched to open.
///
/// Events are posted, kept and handed over on the connection's thread.
final class EventInbox: @unchecked Sendable {
  private let receivers = Mutex(Receivers())
  private var stage = Stage.starting
  private var kept: [() -> Void] = []
  private var launchContent: [() -> Void] = []

  private enum Stage {
    case starting
    /// The app takes what it was launched to open.
    case takingContent
    case launching
    case launched
  }

  private struct Receivers {
    weak var sdk: (any SDKReceiver)?
    weak var system: (any SystemReceiver)?
  }

  func set(_ receiver: any SDKReceiver) { receivers.withLock { $0.sdk = receiver } }

  func set(_ receiver: any SystemReceiver) { receivers.withLock { $0.system = receiver } }

  /// The receiver of what is said to the SDK; nil where the app has never called it.
  var sdk: (any SDKReceiver)? { receivers.withLock(\.sdk) }

  /// The receiver of what is said to the app.
  var system: (any SystemReceiver)? { receivers.withLock(\.system) }

  /// Handles an event, once the app has launched.
  func post(_ event: @escaping () -> Void) {
    if stage == .launched { event() } else { kept.append(event) }
  }

  /// Handles the arrival of something that the app opens, which it may have been launched for.
  func postContent(_ event: @escaping () -> Void) {
    switch stage {
    case .starting: launchContent.append(event)
    case .takingContent: event()
    case .launching, .launched: post(event)
    }
  }

  /// Handles what the app was launched to open, and what comes up to the end of it.
  func openLaunchContent() {
    stage = .takingContent
    let events = launchContent
    launchContent = []
    for event in events { postContent(event) }
  }

  /// Everything that the app was launched to open has come.
  func endLaunchContent(_ event: @escaping () -> Void) {
    postContent { [self] in
      stage = .launching
      event()
    }
  }

  /// Handles what has been kept back.
  func open() {
    let events = launchContent + kept
    stage = .launched
    launchContent = []
    kept = []
    for event in events { event() }
  }

  /// Ends the process: the device has ended the app, or has gone.
  func end() {
    guard let system else { AppProcess.endWithDevice() }
    system.willTerminate { AppProcess.endWithDevice() }
  }
}

extension EventInbox: IntuneMAMEnrollmentDelegate {
  func enrollmentRequest(with status: IntuneMAMEnrollmentStatus) {
    post { [self] in sdk?.enrollmentRequest(with: status) }
  }

  func policyRequest(with status: IntuneMAMEnrollmentStatus) {
    post { [self] in sdk?.policyRequest(with: status) }
  }

  func unenrollRequest(with status: IntuneMAMEnrollmentStatus) {
    post { [self] in sdk?.unenrollRequest(with: status) }
  }
}

extension EventInbox: IntuneMAMComplianceDelegate {
  func accountId(
    _ accountId: String, hasComplianceStatus status: IntuneMAMComplianceStatus,
    withErrorMessage errMsg: String, andErrorTitle errTitle: String
  ) {
    post { [self] in
      sdk?.accountId(
        accountId, hasComplianceStatus: status, withErrorMessage: errMsg, andErrorTitle: errTitle)
    }
  }
}
