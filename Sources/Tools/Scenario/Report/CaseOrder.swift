internal import Model

/// Defines the order of concurrent events in a report.
///
/// Requests from concurrent guests, the extension runs that they start, and requests from a managed app's tasks may
/// arrive in any order. A report sorts and renumbers them, so two runs of a scenario produce the same report.
struct CaseOrder {
  /// Request numbers in the report, keyed by request number in the journal.
  private var numbers: [Int: Int] = [:]
  /// Names of extension runs in the report, keyed by name in the journal.
  private var runs: [String: InstanceName] = [:]

  /// Sorts and renumbers a case's requests and extension runs.
  ///
  /// - Parameter unordered: The numbers of steps with concurrent parts.
  static func apply(to result: inout CaseResult, unordered: Set<Int>) {
    var order = CaseOrder()
    for index in result.steps.indices {
      let isUnordered = unordered.contains(result.steps[index].number)
      order.add(&result.steps[index].requests, isUnordered: isUnordered)
    }
    order.rename(&result)
    for index in result.steps.indices where unordered.contains(result.steps[index].number) {
      result.steps[index].notes.sort()
    }
  }

  /// Sorts and numbers the requests of one step.
  ///
  /// Concurrent requests get consecutive numbers. Their numbers in the journal can have gaps anywhere, because reports
  /// omit some requests.
  private mutating func add(_ requests: inout [RequestResult], isUnordered: Bool) {
    if isUnordered {
      nameRuns(of: sorted(requests))
      let first = requests.map(\.decision.request).min() ?? 0
      requests = sorted(requests)
      number(requests, Array(first..<first + requests.count))
    } else {
      nameRuns(of: requests)
    }
    orderTasks(&requests)
  }

  /// Renumbers the runs that a step started, in the order of `requests`.
  private mutating func nameRuns(of requests: [RequestResult]) {
    var started: [String: [Int]] = [:]
    for request in requests {
      guard let guest = request.decision.receiver?.guest, runs[guest] == nil,
        let run = InstanceName(guest), started[run.extension]?.contains(run.number) != true
      else { continue }
      started[run.extension, default: []].append(run.number)
    }
    for (name, numbers) in started {
      for (number, ordered) in zip(numbers, numbers.sorted()) {
        runs[InstanceName(of: name, number).description] = InstanceName(of: name, ordered)
      }
    }
  }

  /// Sorts each managed app's requests by operation and subject. All other requests keep their positions.
  private mutating func orderTasks(_ requests: inout [RequestResult]) {
    let managed = requests.indices.filter {
      requests[$0].decision.operation.row.area == .managedApps
    }
    let places = Dictionary(grouping: managed) { requests[$0].decision.sender?.guest }
    for places in places.values {
      let ordered = places.map { requests[$0] }.sorted { $0.order < $1.order }
      number(ordered, places.map { number(of: requests[$0].decision.request) }.sorted())
      for (place, request) in zip(places, ordered) { requests[place] = request }
    }
  }

  private mutating func number(_ ordered: [RequestResult], _ numbers: [Int]) {
    for (request, number) in zip(ordered, numbers) {
      self.numbers[request.decision.request] = number
    }
  }

  private func number(of request: Int) -> Int { numbers[request] ?? request }

  /// Returns the requests sorted by sender, then by receiver. Requests between the same two guests keep their order.
  private func sorted(_ requests: [RequestResult]) -> [RequestResult] {
    // A key is computed once for each request, not for each comparison. Sorting moves keys and not results, which are
    // large.
    let keyed = requests.enumerated().map { index, request in
      let (sender, receiver) = (key(request.decision.sender), key(request.decision.receiver))
      return (
        key: (sender.0, sender.1, receiver.0, receiver.1, request.decision.request), index: index
      )
    }
    return keyed.sorted { $0.key < $1.key }.map { requests[$0.index] }
  }

  /// Returns the sort key of a participant: its name without the number, followed by the number.
  /// Therefore `mail-2` comes before `mail-10`.
  ///
  /// An extension run is sorted by its number in the report. Runs without a number come first.
  private func key(_ participant: Participant?) -> (String, Int) {
    let guest = participant?.guest ?? ""
    if let run = InstanceName(guest) { return (run.extension, runs[guest]?.number ?? 0) }
    let digits = guest.reversed().prefix { ("0"..."9").contains($0) }.count
    return (String(guest.dropLast(digits)), Int(guest.suffix(digits)) ?? 0)
  }

  // MARK: Renaming

  /// Applies the report's numbers and names to all requests and runs of the case.
  private func rename(_ result: inout CaseResult) {
    for step in result.steps.indices {
      for index in result.steps[step].requests.indices {
        rename(&result.steps[step].requests[index].decision)
      }
      for index in result.steps[step].notes.indices { rename(&result.steps[step].notes[index]) }
    }
    for index in result.output.indices {
      result.output[index].guest = name(of: result.output[index].guest)
    }
    result.output.sort { $0.guest < $1.guest }
  }

  private func rename(_ decision: inout RequestDecision) {
    decision.request = number(of: decision.request)
    decision.from = decision.from.map(number).sorted()
    decision.stated = decision.stated.map(number)
    decision.likely = decision.likely.map(number).sorted()
    if let guest = decision.sender?.guest { decision.sender?.guest = name(of: guest) }
    if let guest = decision.receiver?.guest { decision.receiver?.guest = name(of: guest) }
  }

  /// Renames the runs that a text mentions.
  private func rename(_ text: inout String) {
    guard text.contains("#") else { return }
    text = text.replacing(/[^\s`#]+#\d+/) { name(of: String($0.output)) }
  }

  private func name(of guest: String) -> String { runs[guest]?.description ?? guest }
}

extension RequestResult {
  fileprivate var order: (String, String, Int) {
    (decision.operation.rawValue, decision.subject ?? "", decision.request)
  }
}
