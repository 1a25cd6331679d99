internal import Host
internal import Model
package import Scenario
internal import Wire

extension StepRun {
  /// The outcome of the step, in the form that expectations use.
  package var observation: Observation {
    var observation = requests.first?.observation(on: device) ?? Observation()
    observation.exit = guest.flatMap {
      device.guests.isRunning($0) ? nil : device.guests.exitCause(of: $0)?.code
    }
    observe(identityIn: &observation)
    observation.isAccepted = findings.isAccepted
    observe(enrollmentIn: &observation)
    observation.sheet = findings.sheet
    observe(configurationIn: &observation)
    observe(fileOrSecretIn: &observation)
    observe(contentIn: &observation)
    observation.returned = requests.returned.map { $0.observation(on: device) }
    return observation
  }

  /// Records the identity of the receiver; if there is none, of the acting guest.
  private func observe(identityIn observation: inout Observation) {
    let receiver = step.action.detail.receiver.flatMap {
      device.identity(of: $0) == nil ? nil : $0
    }
    let identity = (receiver ?? guest).flatMap(device.identity)
    observation.identity = identity.map { world.reference($0.identity) }
    observation.isManaged = identity?.isManaged
    guard let instance else { return }
    observation.identity = world.reference(instance.identity)
    observation.isManaged = instance.isManaged
  }

  /// The extension instance that received the step's item. It is not the guest that the step names, and may
  /// have ended.
  private var instance: Participant? {
    guard let receiver = requests.first?.decision.receiver,
      let name = InstanceName(receiver.guest), name.extension == step.action.detail.receiver
    else { return nil }
    return receiver
  }

  /// Records the enrollment state of the step's account, and whether the app received a token.
  private func observe(enrollmentIn observation: inout Observation) {
    if step.action.detail is Action.Token { observation.hasToken = !findings.content.isEmpty }
    guard let guest, let name = step.action.detail.enrolledAccount,
      let view = device.enrollment.view(of: world.account(name), in: guest)
    else { return observation.enrollment = answered }
    observation.enrollmentState = Expectation.EnrollmentState(rawValue: view.state)
    observation.enrollment = answered ?? view.status
    observation.compliance = view.compliance
  }

  /// The status that the app received if its step enrolled without an account or unenrolled an unregistered
  /// one; nil for other steps.
  private var answered: EnrollmentStatus? {
    let detail = step.action.detail
    let isAnswer =
      if let enrollment = detail as? Action.Enrollment { enrollment.account == nil } else {
        detail is Action.Unenrollment
      }
    guard isAnswer else { return nil }
    return requests.first.flatMap { EnrollmentStatus(rawValue: $0.status) }
  }

  private func observe(configurationIn observation: inout Observation) {
    guard let answer = findings.configuration else { return }
    observation.values = answer.values
    observation.hasConflict = answer.hasConflict
    guard case .configuration(let lookup) = step.action else { return }
    observation.showsValues = world.mayShow(lookup.key, of: lookup.guest)
  }

  private func observe(fileOrSecretIn observation: inout Observation) {
    guard let request = requests.first else {
      // Data that is not encrypted needs no key, so the app makes no request.
      if case .file(let file) = step.action, file.operation == .unprotectData {
        observation.received = String(decoding: findings.content, as: UTF8.self)
      }
      return
    }
    let operation = request.decision.operation.row
    guard operation.area == .files || operation.returnsStoredContent else { return }
    observation.owner = world.reference(request.decision.owner ?? "")
    observation.ownerRemark = ownerRemark
    guard request.end == .delivered, operation.returnsStoredContent else { return }
    observation.received = String(decoding: findings.content, as: UTF8.self)
  }

  /// A possible reason why a file or data does not belong to the expected account. Nil if no window acts for
  /// that account.
  private var ownerRemark: String? {
    guard let guest, case .account(let name)? = step.expectation?.owner, step.task?.thread == nil,
      let acting = device.identity(of: guest)?.identity,
      world.reference(acting) == .account(name)
    else { return nil }
    return
      "files and data belong to the account of the process, not to that of the window: switch with "
      + "`process: true`, or add `as: \(name)`"
  }

  private func observe(contentIn observation: inout Observation) {
    switch step.action.detail.inspection {
    case .managedValue(let question):
      observation.received = question.received(findings.content, on: device)
      observation.isReceivedSecret = true
    case .administratorEvents:
      observation.received = device.management.events.map(\.line).joined(separator: "\n")
    case .output: observation.received = findings.log
    case .serverRequests: observation.received = findings.serverRequests.joined(separator: "\n")
    case nil: break
    }
  }
}

// MARK: Requests

/// The request of a step's guest, and the items that an extension returned to it, with their outcomes.
struct StepRequests {
  private var requests: [ObservedRequest] = []

  /// The request that the guest itself made.
  var first: ObservedRequest? { requests.first }

  /// The requests by which an extension returned items.
  fileprivate var returned: ArraySlice<ObservedRequest> { requests.dropFirst() }

  mutating func add(_ decision: RequestDecision, arrival: InboxFile?) {
    requests.append(ObservedRequest(decision: decision, arrival: arrival))
  }

  mutating func ended(_ request: Int, _ end: RequestEnd, _ status: Int) {
    guard let index = requests.firstIndex(where: { $0.decision.request == request }) else { return }
    requests[index].end = end
    requests[index].status = status
  }

  struct ObservedRequest {
    let decision: RequestDecision
    /// The file that the item becomes; nil if nothing is delivered.
    let arrival: InboxFile?
    var end: RequestEnd?
    var status = 0

    func observation(on device: Device) -> Observation {
      Observation(
        verdict: decision.verdict, end: end, status: status,
        received: arrival?.text(on: device))
    }
  }
}

extension InboxFile {
  /// Returns the text of the file; nil if nothing has arrived.
  fileprivate func text(on device: Device) -> String? {
    device.files.contents(ofFile: description, in: guest).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

// MARK: - Findings

/// The results of a step. A nil or empty value was not examined.
struct StepFindings {
  /// The bytes that the guest read.
  var content: [UInt8] = []
  /// Whether the app complied with the SDK's request.
  var isAccepted: Bool?
  var sheet: [SheetLine]?
  var configuration: ConfigurationAnswer?
  /// The requests that the server received, one line each.
  var serverRequests: [String] = []
  /// The output of the guest.
  var log = ""
}
