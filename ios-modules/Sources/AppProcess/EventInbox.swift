internal import SluiceKit
internal import Synchronization

/// The device's messages to this process. They are held back until the app has launched, except
/// launch content, which is delivered during the launch.
///
/// Any thread may set and get the receivers. All other methods must be called on the connection's thread.
final class EventInbox: @unchecked Sendable {
  private let receivers = Mutex(Receivers())
  private var stage = Stage.starting
  private var kept: [() -> Void] = []
  private var launchContent: [() -> Void] = []

  private enum Stage {
    case starting
    /// The app is receiving its launch content.
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

  /// The receiver of messages to the SDK; nil if the app has never used the SDK.
  var sdk: (any SDKReceiver)? { receivers.withLock(\.sdk) }

  /// The receiver of messages to the app; nil until the code that launches the app sets it.
  var system: (any SystemReceiver)? { receivers.withLock(\.system) }

  /// Delivers an event after the app has launched. Until then, the event is held back.
  func post(_ event: @escaping () -> Void) {
    if stage == .launched { event() } else { kept.append(event) }
  }

  /// Delivers an item or URL that the app should open. Until the launch content ends, it is delivered as launch
  /// content; afterwards, like any other event.
  func postContent(_ event: @escaping () -> Void) {
    switch stage {
    case .starting: launchContent.append(event)
    case .takingContent: event()
    case .launching, .launched: post(event)
    }
  }

  /// Delivers the launch content that has arrived. Further launch content is delivered as it arrives, until
  /// ``endLaunchContent(_:)``.
  func openLaunchContent() {
    stage = .takingContent
    let events = launchContent
    launchContent = []
    for event in events { postContent(event) }
  }

  /// Delivers `event` after all of the launch content. Later messages are held back until the app has launched.
  func endLaunchContent(_ event: @escaping () -> Void) {
    postContent { [self] in
      stage = .launching
      event()
    }
  }

  /// Delivers the events that were held back.
  func open() {
    let events = launchContent + kept
    stage = .launched
    launchContent = []
    kept = []
    for event in events { event() }
  }

  /// Ends the process, because the device has terminated the app or no longer exists.
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
