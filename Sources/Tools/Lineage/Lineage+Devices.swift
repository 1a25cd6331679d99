public import Model

extension Lineage {
  /// The lineage of the items of several devices, of which some came from one to another.
  ///
  /// - Parameter journals: all events of each device's journal, in their order.
  public init(ofDevices journals: [[JournalEvent]]) {
    guard journals.count > 1 else {
      self.init(journals.first ?? [])
      return
    }
    var reading = DeviceJournals(journals)
    reading.readAll()
    self.init(reading.hops, of: reading.builders)
  }
}

/// Journals of several devices, read so that what was sent is known before it arrives.
private struct DeviceJournals {
  private let journals: [[JournalEvent]]
  private(set) var builders: [LineageBuilder]
  /// How many events of each journal have been read.
  private var read: [Int]
  /// The journal of each device, by its name.
  private var indices: [String: Int] = [:]
  /// The journals that wait for more of a device's.
  private var waiting: [String: [Int]] = [:]
  /// The numbers that hops have among those of all devices, by their places.
  private var numbers: [Hop.Place: Int] = [:]
  /// The places from which what arrived came, by where it arrived.
  private var origins: [Hop.Place: Hop.Place] = [:]

  init(_ journals: [[JournalEvent]]) {
    self.journals = journals
    builders = journals.map { _ in LineageBuilder() }
    read = journals.map { _ in 0 }
  }

  mutating func readAll() {
    var next = Array(journals.indices.reversed())
    var first = 0
    while true {
      while let index = next.popLast() {
        guard goOn(index, arrivals: .known) else { continue }
        // What waited for this device may go on.
        if let device = builders[index].device { next += waiting.removeValue(forKey: device) ?? [] }
      }
      while first < journals.count, read[first] == journals[first].count { first += 1 }
      guard first < journals.count else { return }
      // The journal of the sender is not there, or is cut.
      _ = goOn(first, arrivals: .any)
      next.append(first)
      if let device = builders[first].device { next += waiting.removeValue(forKey: device) ?? [] }
    }
  }

  private enum Arrivals { case known, any }

  /// Reads on in a journal, up to what arrives from a device of which too little has been read.
  ///
  /// - Parameter arrivals: whether the first event may be such an arrival.
  /// - Returns: whether anything was read.
  private mutating func goOn(_ index: Int, arrivals: Arrivals) -> Bool {
    let start = read[index]
    while read[index] < journals[index].count {
      let event = journals[index][read[index]]
      var origin: Hop?
      if case .itemArrived(let item, _, let device, let request, _, _, _) = event.kind {
        origin = hop(Hop.Place(device: device, request: request))
        if origin == nil, arrivals == .known || read[index] > start {
          waiting[device, default: []].append(index)
          break
        }
        if origin != nil, let own = builders[index].device {
          origins[Hop.Place(device: own, request: item)] = Hop.Place(
            device: device, request: request)
        }
      }
      builders[index].add(event, from: origin)
      if case .deviceStarted(let device, _) = event.kind { indices[device] = index }
      note(event, index)
      read[index] += 1
    }
    return read[index] > start
  }

  private func hop(_ place: Hop.Place) -> Hop? {
    indices[place.device].flatMap { builders[$0].hop(place.request) }
  }

  /// Gives what an event may have made a number: after those of what it came from.
  private mutating func note(_ event: JournalEvent, _ index: Int) {
    guard let device = builders[index].device else { return }
    switch event.kind {
    case .decided(let decision):
      numbers[Hop.Place(device: device, request: decision.request)] = numbers.count + 1
    case .itemArrived(let item, _, _, _, _, _, _):
      numbers[Hop.Place(device: device, request: item)] = numbers.count + 1
    case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation,
      .stepFailed, .caseEnded, .faultInjected, .guestStarted, .guestReady, .guestSuspended,
      .guestResumed, .guestExited, .claimIgnored, .accountEnrolled, .accountSignedIn,
      .accountSignedOut, .identitySwitched, .identitySwitchRequired, .accessChecked,
      .accountNotAllowed, .accountRenamed, .wipeAdvanced, .accountWiped, .policyChanged,
      .policySaved, .appConfigured, .configurationDelivered, .telemetryRecorded,
      .declarationsApplied, .managedAppChanged, .administratorInformed, .delegateAsked,
      .enrollmentAsked, .enrollmentAnswered, .complianceAnswered, .remediationLooped, .policyAbsent,
      .policyStated, .factsStated, .ended, .extensionCompleted, .extensionCancelled:
      break
    }
  }

  /// The hops of all devices, under numbers of all.
  var hops: [Hop] {
    builders.flatMap { builder in
      builder.hops.map { numbered($0, of: builder.device ?? "") }
    }.sorted { $0.number < $1.number }
  }

  private func numbered(_ hop: Hop, of device: String) -> Hop {
    var numbered = hop
    let place = Hop.Place(device: device, request: hop.number)
    numbered.place = place
    numbered.number = numbers[place] ?? 0
    numbered.sources = hop.sources.compactMap { source in
      numbers[Hop.Place(device: device, request: source.item)].map {
        Hop.Source(item: $0, certainty: source.certainty)
      }
    }
    if let origin = origins[place].flatMap({ numbers[$0] }) {
      numbered.sources.append(Hop.Source(item: origin, certainty: .certain))
    }
    return numbered
  }
}
