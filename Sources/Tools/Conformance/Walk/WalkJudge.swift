internal import Host
internal import Model
internal import Simulation

/// Compares a step's outcome with the model's forecast, and examines every file that changed.
struct WalkJudge {
  let walk: WalkDevice
  let step: WalkStep
  let forecast: WalkForecast
  /// The model after the step.
  let model: WalkModel
  let observation: WalkObservation

  /// The first violation of an invariant; nil if all invariants hold.
  var finding: InvariantFailure? {
    let arrivals = readArrivals()
    return leak(arrivals) ?? restriction ?? remains ?? deviation(arrivals)
  }

  private func work(in bytes: [UInt8]) -> WalkText? {
    WalkText.all(in: bytes).first(where: model.work.contains)
  }

  // MARK: Confidentiality

  /// A file that arrived in an app's inbox during the step.
  private struct Arrived {
    var app: WalkApp
    var file: String
    var bytes: [UInt8]
  }

  private func readArrivals() -> [Arrived] {
    observation.changed.compactMap { path in
      guard let app = WalkApp.allCases.first(where: { path.hasPrefix($0.inbox) }) else {
        return nil
      }
      let file = "Inbox/\(path.dropFirst(app.inbox.count))"
      return walk.device.files.contents(ofFile: file, in: app.name).map {
        Arrived(app: app, file: file, bytes: $0)
      }
    }
  }

  private func leak(_ arrivals: [Arrived]) -> InvariantFailure? {
    if let found = forecast.found, !found.byWork, work(in: observation.found) != nil {
      return InvariantFailure(
        .protected, "a task of another identity read a text of the work account")
    }
    if forecast.found == nil, work(in: observation.found) != nil {
      return InvariantFailure(
        .protected, "a task without access received a text of the work account")
    }
    for arrived in arrivals where work(in: arrived.bytes) != nil {
      let isForWork = forecast.arrivals.contains { $0.app == arrived.app && $0.toWork }
      if !isForWork {
        return InvariantFailure(
          .protected,
          "a text of the work account arrived in \(arrived.app), which does not act for the work account"
        )
      }
    }
    return observation.changed.lazy.compactMap(plainText).first
  }

  /// Returns a finding if the file at `path` contains unencrypted text of the organisation; otherwise nil. Also returns
  /// nil for a managed app's file if the policy does not encrypt files.
  private func plainText(in path: String) -> InvariantFailure? {
    let isManaged = !path.hasPrefix("Containers/\(WalkApp.photos)/")
    guard model.rules.encryptsFiles || !isManaged,
      let bytes = try? InputFile.bytes("\(walk.device.configuration.folder)/\(path)"),
      work(in: bytes) != nil
    else { return nil }
    return InvariantFailure(
      .protected, "the file `\(path)` contains an unencrypted text of the work account")
  }

  // MARK: Personal data

  private var restriction: InvariantFailure? {
    guard forecast.isPersonal, observation.answer != .allowed else { return nil }
    return InvariantFailure(
      .unrestricted,
      "a request without protected accounts was \(observation.answer.rawValue)"
        + (observation.requests.isEmpty ? "" : " by \(observation.rules)"))
  }

  // MARK: Removed accounts

  /// The failure if an inbox contains data of a removed account, or if the apps' files differ from the model's files;
  /// otherwise nil.
  private var remains: InvariantFailure? {
    if let parted = forecast.parted, parted.account == .work {
      for file in walk.files where file.hasPrefix(parted.app.inbox) {
        let name = "Inbox/\(file.dropFirst(parted.app.inbox.count))"
        let bytes = walk.device.files.contents(ofFile: name, in: parted.app.name)
        if let bytes, work(in: bytes) != nil {
          return InvariantFailure(.parted, "a text of the work account is left in `\(file)`")
        }
      }
    }
    let expected = Set(model.files.keys.map(\.path))
    let found = walk.files.filter { file in
      !WalkApp.allCases.contains { file.hasPrefix($0.inbox) }
    }
    if let lost = expected.subtracting(found).min() {
      return InvariantFailure(.parted, "the file `\(lost)` is missing")
    }
    return found.subtracting(expected).min().map {
      InvariantFailure(.parted, "the file `\($0)` exists, but should not")
    }
  }

  // MARK: Deviations from the model

  private func deviation(_ arrivals: [Arrived]) -> InvariantFailure? {
    if let failure = observation.failure { return InvariantFailure(.predicted, failure) }
    guard observation.answer == forecast.answer else {
      return InvariantFailure(
        .predicted,
        "the device answers \(observation.answer.rawValue)"
          + (observation.requests.isEmpty ? "" : " by \(observation.rules)")
          + ", the model \(forecast.answer.rawValue)")
    }
    if let found = forecast.found, found.bytes != observation.found {
      return InvariantFailure(
        .predicted, "the text that was read differs from the text that was written")
    }
    return arrivalDeviation(arrivals) ?? identityDeviation
  }

  private func arrivalDeviation(_ arrivals: [Arrived]) -> InvariantFailure? {
    let readable = arrivals.filter { !WalkText.all(in: $0.bytes).isEmpty }
    let expected = forecast.arrivals.compactMap(\.content)
    for arrival in forecast.arrivals {
      guard let content = arrival.content else { continue }
      if !readable.contains(where: { $0.app == arrival.app && $0.bytes == content.bytes }) {
        return InvariantFailure(
          .predicted, "the item that \(arrival.from) sent is not in \(arrival.app)")
      }
    }
    guard readable.count == expected.count else {
      return InvariantFailure(
        .predicted, "\(readable.count) texts arrived, but the model expects \(expected.count)")
    }
    return nil
  }

  private var identityDeviation: InvariantFailure? {
    for app in WalkApp.allCases {
      let front = model[app].front
      guard let actual = walk.device.identity(of: app.name) else { continue }
      if !front.isSameUser(as: actual.identity) || actual.isManaged != model[app].isManaged(front) {
        return InvariantFailure(
          .predicted,
          "\(app) acts for \(actual.identity.accountID ?? "no identity"), "
            + "the model says \(front.text)"
        )
      }
    }
    return nil
  }
}

extension WalkApp {
  /// The folder in which the ready-made guest stores received items, relative to the device's folder.
  fileprivate var inbox: String { "Containers/\(name)/Inbox/" }
}

extension InvariantFailure {
  fileprivate init(_ invariant: WalkInvariant, _ sentence: String) {
    self.init(invariant: invariant, sentence: sentence)
  }
}

// MARK: - Findings

struct InvariantFailure {
  var invariant: WalkInvariant
  /// The violation as one sentence, in lower case.
  var sentence: String
}

/// The invariants of a walk. They must hold after every step.
enum WalkInvariant: String {
  /// Texts that only the organisation's account has written are unreadable for all other accounts.
  case protected
  /// Transfers among accounts that no policy protects are never restricted.
  case unrestricted
  /// Removing an account from an app deletes all of the account's data in the app, and no data of other accounts.
  case parted
  /// The device does what the model predicts, and every step ends.
  case predicted
  /// A managed account's data reaches only endpoints to which the leak search finds a path.
  case found
}
