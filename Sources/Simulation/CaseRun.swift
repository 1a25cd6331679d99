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
      throw RunError("\(blueprint.scenario.file):1:1: error: \(error) [device]")
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
    let actions = step.action.parallel ?? [step]
    steps = actions.map { StepRun($0, number: number, in: self) }
    for run in steps { run.begin() }
    wait(number)
    for run in steps { run.compare() }
    steps = []
  }

  private func wait(_ number: Int) {
    let limit = device.loop.now + settings.stepLimit
    guard let timer = try? Timer(on: device.loop, {}) else { return }
    timer.start(after: settings.stepLimit)
    device.run { steps.allSatisfy(\.isDone) || device.loop.now >= limit }
    timer.close()
    if !steps.allSatisfy(\.isDone) {
      let seconds = settings.stepLimit / 1000
      device.note(.stepFailed(step: number, why: "it did not end within \(seconds) seconds"))
    }
  }

  /// Requests of one guest are answered in their order, so the first of its steps without a decision is the
  /// one that made the request.
  private func observe() {
    device.observer = RequestObserver(
      onDecision: { [unowned self] requester, decision in
        steps.first { $0.guest == requester && $0.decision == nil }?.decision = decision
      },
      onEnd: { [unowned self] request, end, status in
        guard let step = steps.first(where: { $0.decision?.request == request }) else { return }
        step.end = end
        step.status = status
      })
  }

  // MARK: what steps ask

  /// The specification of the app that a guest runs.
  func specification(of guest: String) -> AppSpecification? {
    blueprint.scenario.app(ofGuest: guest)
  }

  func accountID(_ name: String) -> String {
    blueprint.scenario.account(named: name)?.upn ?? name
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

extension Action {
  /// The steps to run at once; nil where this is one step.
  fileprivate var parallel: [Step]? {
    if case .concurrently(let steps) = self { steps } else { nil }
  }
}
