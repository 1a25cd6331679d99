internal import Model

extension StepResult {
  /// Puts the requests in order. Requests that several guests make at the same time, and those of a managed app's
  /// tasks, come in any order; a report has them in one order and numbers them accordingly, so that two runs of a
  /// scenario have the same report.
  ///
  /// - Parameter isUnordered: whether the step has parts that are carried out at once.
  mutating func putInOrder(isUnordered: Bool) {
    if isUnordered {
      orderBySender()
      notes.sort()
    }
    orderTasks()
  }

  /// Orders requests by sender, then by receiver; those between the same two guests stay in their order.
  private mutating func orderBySender() {
    guard let first = requests.map(\.decision.request).min() else { return }
    requests.sort { $0.comesBefore($1) }
    for index in requests.indices { requests[index].decision.request = first + index }
  }

  /// Orders the requests of each managed app by operation and subject, among the places that they have.
  private mutating func orderTasks() {
    let managed = requests.indices.filter { requests[$0].isOfManagedApp }
    let places = Dictionary(grouping: managed) { requests[$0].decision.sender?.guest }
    for places in places.values {
      let numbers = places.map { requests[$0].decision.request }.sorted()
      let ordered = places.map { requests[$0] }.sorted { $0.order < $1.order }
      for (place, (number, request)) in zip(places, zip(numbers, ordered)) {
        requests[place] = request
        requests[place].decision.request = number
      }
    }
  }
}

extension RequestResult {
  fileprivate func comesBefore(_ other: RequestResult) -> Bool {
    let (sender, receiver) = (Self.key(decision.sender), Self.key(decision.receiver))
    let (otherSender, otherReceiver) =
      (Self.key(other.decision.sender), Self.key(other.decision.receiver))
    if sender != otherSender { return sender < otherSender }
    if receiver != otherReceiver { return receiver < otherReceiver }
    return decision.request < other.decision.request
  }

  /// The name without its number, and the number: `mail-2` comes before `mail-10`.
  private static func key(_ participant: Participant?) -> (String, Int) {
    let guest = participant?.guest ?? ""
    let digits = guest.reversed().prefix { ("0"..."9").contains($0) }.count
    return (String(guest.dropLast(digits)), Int(guest.suffix(digits)) ?? 0)
  }

  fileprivate var order: (String, String, Int) {
    (decision.operation.rawValue, decision.subject ?? "", decision.request)
  }

  fileprivate var isOfManagedApp: Bool {
    switch decision.operation {
    case .managedConfiguration, .legacyManagedConfiguration, .managedIdentifiers,
      .managedPassword, .managedCertificate, .managedIdentity, .managedSignature, .managedReport:
      true
    default: false
    }
  }
}
