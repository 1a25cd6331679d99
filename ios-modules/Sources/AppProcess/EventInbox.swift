internal import SluiceKit
internal import Synchronization

/// What the device says to this process, kept back until the app has launched.
///
/// Events are posted, kept and handed over on the connection's thread.
final class EventInbox: @unchecked Sendable {
  private let receivers = Mutex(Receivers())
  /// nil: the app has launched. Of the connection's thread.
  private var kept: [() -> Void]? = []

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
    if kept != nil { kept?.append(event) } else { event() }
  }

  /// Handles what has been kept back.
  func open() {
    let events = kept ?? []
    kept = nil
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
