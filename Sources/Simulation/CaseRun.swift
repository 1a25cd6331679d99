internal import EventLoop
internal import Foundation
internal import Host
internal import JSON
internal import Scenario
internal import Transfer

/// One case on a device of its own: real processes, one step after the other.
final class CaseRun {
  private let blueprint: Blueprint
  private let test: Case
  private let settings: RunSettings
  let device: Device
  private var steps: [StepRun] = []
  private var arrivals = Arrivals()
  /// Requests that are decided and have not ended, whoever made them.
  private var openRequests = 0

  /// - Throws: ``RunError`` where the device cannot be brought up.
  init(
    _ test: Case, of blueprint: Blueprint, _ settings: RunSettings, folder: String
  ) throws(RunError) {
    self.test = test
    self.blueprint = blueprint
    self.settings = settings
    do {
      device = try Device(blueprint.configuration(settings, folder: folder))
    } catch {
      throw RunError(error, file: blueprint.scenario.file)
    }
  }

  /// Runs the case to its end.
  ///
  /// - Returns: the path of its journal.
  func run() throws(RunError) -> String {
    device.note(
      .caseBegan(
        suite: blueprint.scenario.name, name: test.name, criterion: test.criterion))
    observe()
    defer { close() }
    try install()
    for (index, step) in test.steps.enumerated() {
      for _ in 0..<step.count { perform(step, number: index + 1) }
    }
    return device.journalPath
  }

  private func close() {
    var isStopped = false
    device.stopAll { isStopped = true }
    device.run { isStopped }
    device.note(.caseEnded)
    device.observer = nil
    device.close()
  }

  private func install() throws(RunError) {
    for (specification, description) in blueprint.apps {
      for guest in specification.guests {
        var app = description
        app.name = guest
        do {
          try device.install(app)
          for name in specification.signedIn {
            guard let account = blueprint.scenario.account(named: name) else { continue }
            try device.presetSignIn(account.account, in: guest)
          }
        } catch {
          let place = specification.position
          throw RunError(
            "\(blueprint.scenario.file):\(place.line):\(place.column): error: \(error) [app]")
        }
      }
    }
  }

  // MARK: steps

  private func perform(_ step: Step, number: Int) {
    device.note(.stepBegan(step: number, text: step.text))
    arrivals = Arrivals()
    steps = expand(step).map { StepRun($0, number: number, in: self) }
    for run in steps { run.begin() }
    wait(number)
    for run in steps { run.compare() }
    steps = []
  }

  /// The steps to carry out at once for `step`.
  private func expand(_ step: Step) -> [Step] {
    switch step.action {
    case .concurrently(let steps): return steps.flatMap(expand)
    case .share(var share):
      return blueprint.scenario.guests(named: share.from).map { guest in
        share.from = guest
        return Step(
          position: step.position, action: .share(share), expectation: step.expectation)
      }
    default: return [step]
    }
  }

  /// Waits until what the steps ask for is done, and with it what guests with programs of their own have asked
  /// for in consequence.
  private func wait(_ number: Int) {
    let limit = device.loop.now + settings.stepLimit
    guard let timer = try? Timer(on: device.loop, {}) else { return }
    timer.start(after: settings.stepLimit)
    device.run {
      device.loop.now >= limit
        || steps.allSatisfy(\.isDone) && openRequests == 0 && !device.isRunningExtensions
    }
    timer.close()
    if !steps.allSatisfy(\.isDone) {
      let seconds = settings.stepLimit / 1000
      device.note(.stepFailed(step: number, why: "it did not end within \(seconds) seconds"))
    }
  }

  private func observe() {
    device.observer = RequestObserver(
      onDecision: { [unowned self] requester, decision in
        openRequests += 1
        let arrival = arrivals.place(for: decision, of: requester, on: device)
        steps.first { $0.isAwaiting(decision, of: requester) }?
          .decided(decision, arrival: arrival)
      },
      onEnd: { [unowned self] request, end, status in
        openRequests -= 1
        for step in steps { step.ended(request, end, status) }
      })
  }

  // MARK: what steps ask

  func accountID(_ name: String) -> String {
    blueprint.scenario.account(named: name)?.upn ?? name
  }

  /// What the directory says of an account from now on.
  func set(_ status: Action.AccountStatus) {
    guard let account = blueprint.scenario.account(named: status.account)?.account else { return }
    device.set(account, isDisabled: status.isDisabled, isClockedOut: status.isClockedOut)
  }

  /// What the scenario calls the identity that a decision names.
  func reference(_ accountID: String?) -> IdentityReference {
    switch accountID {
    case nil: .unset
    case "": .unknown
    case let name?:
      .account(blueprint.scenario.accounts.first { $0.account.isNamed(name) }?.name ?? name)
    }
  }

  /// What the scenario calls an identity.
  func reference(_ identity: Identity) -> IdentityReference {
    switch identity {
    case .unset: .unset
    case .unknown: .unknown
    case .account(let account):
      .account(
        blueprint.scenario.accounts.first { $0.account.isSame(as: account) }?.name ?? account.upn)
    }
  }
}
