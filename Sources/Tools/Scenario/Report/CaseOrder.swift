internal import Model

/// The order in which a report has what happens at once.
///
/// Requests that several guests make at the same time, the runs of extensions that they start, and the requests of a
/// managed app's tasks come in any order. A report has them in one order and numbers them accordingly, so that two runs
/// of a scenario have the same report.
struct CaseOrder {
  /// The numbers of requests in the report, by those in the journal.
  private var numbers: [Int: Int] = [:]
  /// The names of extensions' runs in the report, by those in the journal.
  private var runs: [String: InstanceName] = [:]

  /// Puts the requests of a case in order.
  ///
  /// - Parameter unordered: the numbers of the steps with parts that are carried out at once.
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

  /// Puts the requests of one step in order, and notes their numbers: what happens at once has consecutive ones, since
  /// requests that reports do not have come in between at any place.
  private mutating func add(_ requests: inout [RequestResult], isUnordered: Bool) {
    if isUnordered {
      nameRuns(of: requests.sorted(by: comesBefore))
      let first = requests.map(\.decision.request).min() ?? 0
      requests.sort(by: comesBefore)
      number(requests, Array(first..<first + requests.count))
    } else {
      nameRuns(of: requests)
    }
    orderTasks(&requests)
  }

  /// Gives the runs that a step started their own numbers in the order of `requests`.
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

  /// Orders the requests of each managed app by operation and subject, among the places that they have.
  private mutating func orderTasks(_ requests: inout [RequestResult]) {
    let managed = requests.indices.filter { requests[$0].isOfManagedApp }
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

  /// By sender, then by receiver; requests between the same two guests stay in their order.
  private func comesBefore(_ one: RequestResult, _ other: RequestResult) -> Bool {
    let (sender, receiver) = (key(one.decision.sender), key(one.decision.receiver))
    let (otherSender, otherReceiver) = (key(other.decision.sender), key(other.decision.receiver))
    if sender != otherSender { return sender < otherSender }
    if receiver != otherReceiver { return receiver < otherReceiver }
    return one.decision.request < other.decision.request
  }

  /// The name without its number, and the number: `mail-2` comes before `mail-10`. The number of a run is the report's;
  /// one that has none yet comes first.
  private func key(_ participant: Participant?) -> (String, Int) {
    let guest = participant?.guest ?? ""
    if let run = InstanceName(guest) { return (run.extension, runs[guest]?.number ?? 0) }
    let digits = guest.reversed().prefix { ("0"..."9").contains($0) }.count
    return (String(guest.dropLast(digits)), Int(guest.suffix(digits)) ?? 0)
  }

  // MARK: names

  /// Gives requests and runs the report's numbers and names, wherever the case has them.
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

  /// Renames the runs that a text names.
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

  fileprivate var isOfManagedApp: Bool {
    switch decision.operation {
    case .managedConfiguration, .legacyManagedConfiguration, .managedIdentifiers,
      .managedPassword, .managedCertificate, .managedIdentity, .managedSignature, .managedReport:
      true
    case .share, .openIn, .import, .dragAndDrop, .contactRead, .openURL, .universalLink, .appClip,
      .saveTo, .openFrom, .documentPickerExport, .documentPickerImport, .mailComposer,
      .messageComposer, .print, .notification, .contactSync, .widget, .spotlight, .siriIntents,
      .appIntents, .backup, .screenCapture, .writingTools, .genmoji, .keyboard, .webView,
      .safariExtension, .fileEncryption, .copy, .paste, .canReceive, .keychainAdd, .keychainQuery,
      .keychainDelete, .signIn, .signOut, .enroll, .unenroll, .remediate, .acquireToken,
      .switchIdentity, .openFile, .moveFile, .removeFile, .protectData, .unprotectData,
      .conditionalLaunch, .loadItem, .completeExtension, .extensionCall, .airDrop, .openReceived,
      .universalClipboard:
      false
    }
  }
}
