internal import Transfer

extension StepResult {
  /// What the tasks of a managed app ask for at the same time comes in any order. A report tells it in one, and numbers
  /// it accordingly, so that two runs of a scenario have the same report.
  mutating func putInOrder() {
    let managed = requests.indices.filter { requests[$0].isOfManagedApp }
    let byGuest = Dictionary(grouping: managed) { requests[$0].decision.sender?.guest }
    for slots in byGuest.values {
      let numbers = slots.map { requests[$0].decision.request }.sorted()
      let ordered = slots.map { requests[$0] }.sorted { $0.order < $1.order }
      for (place, (slot, number)) in zip(slots, numbers).enumerated() {
        requests[slot] = ordered[place]
        requests[slot].decision.request = number
      }
    }
  }
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
    default: false
    }
  }
}
