package import Model

/// Builds the lineage from a journal's events, one at a time.
///
/// A hop (a movement of data by one request) counts only after the request has ended successfully. The content of a
/// file is an exception: it counts from the decision on, because the device changes the file before it answers.
struct LineageBuilder {
  private var known: [Int: Hop] = [:]
  private var open: [Int: Hop] = [:]
  /// The number of the item in each file, by path.
  private var files: [String: Int] = [:]
  /// The accounts that were managed in any app, by UPN in lower case.
  private var managed: Set<String> = []
  /// The names of all guests and the bundle ids of all apps.
  private(set) var names: Set<String> = []
  private(set) var accounts: Set<String> = []
  /// The current UPNs of renamed accounts, by former UPN in lower case.
  private(set) var renamed: [String: String] = [:]
  /// The device's name; nil before it has started.
  private(set) var device: String?

  /// The minimum number of items to keep; nil for all. If it is set, no names and accounts are recorded.
  private let limit: Int?

  /// Starts a lineage without events.
  ///
  /// - Parameter limit: The number of the latest items to keep; nil for all. Older items are dropped, and no longer
  ///   appear as sources.
  init(keeping limit: Int? = nil) { self.limit = limit }

  /// The completed movements of data, in request order.
  var hops: [Hop] { known.values.sorted { $0.number < $1.number } }

  /// Returns the completed movement of data that created the item; nil if there is none.
  func hop(_ number: Int) -> Hop? { known[number] }

  /// Adds the journal's next event.
  ///
  /// - Parameter origin: The hop on the other device that sent an arriving item; nil if unknown.
  /// - Returns: The hop that the event completed; nil if it completed no hop.
  @discardableResult
  mutating func add(_ event: JournalEvent, from origin: Hop? = nil) -> Hop? {
    dropOldItems()
    switch event.kind {
    case .deviceStarted(let device, _): self.device = device
    case .itemArrived(let item, let transport, _, _, _, _, let isCiphertext):
      // Forwarded ciphertext stays ciphertext.
      let isEncrypted = isCiphertext || origin?.isEncrypted == true
      known[item] = Hop(
        number: item, operation: transport.operation, time: event.time, event: event.sequence,
        sources: [], sender: nil, holder: .device(device ?? ""), owner: origin?.owner ?? "",
        isManaged: origin?.isManaged ?? false, isEncrypted: isEncrypted,
        isCiphertext: isEncrypted, isUnmanaged: false,
        reason: origin?.reason
          ?? Explanation(rule: .noRuleApplied, side: .device, text: Rule.noRuleApplied.rawValue))
    case .guestStarted(let guest, let app, _): record([guest, app])
    case .accountEnrolled(_, let account, _):
      managed.insert(account.lowercased())
      record(account: account)
    case .accountSignedIn(_, let account, _): record(account: account)
    case .accountRenamed(let account, let new): rename(account, to: new)
    case .decided(let decision):
      guard decision.verdict.outcome != .blocked else { return nil }
      record(decision.sender)
      record(decision.receiver)
      add(decision, event)
    case .ended(let request, let end, _, _):
      guard let hop = open.removeValue(forKey: request),
        end == .delivered || end == .deliveredEncrypted
      else { return nil }
      known[request] = hop
      return hop
    case .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation, .stepFailed, .caseEnded,
      .faultInjected, .guestReady, .guestSuspended, .guestResumed, .guestExited, .claimIgnored,
      .accountSignedOut, .identitySwitched, .identitySwitchRequired, .accessChecked,
      .accountNotAllowed, .wipeAdvanced, .accountWiped, .policyChanged, .policySaved,
      .appConfigured, .configurationDelivered, .notificationPosted, .telemetryRecorded,
      .declarationsApplied,
      .managedAppChanged, .administratorInformed, .delegateAsked, .enrollmentAsked,
      .enrollmentAnswered, .complianceAnswered, .remediationLooped, .policyAbsent, .policyStated,
      .factsStated, .extensionCompleted, .extensionCancelled:
      break
    }
    return nil
  }

  /// Once there are twice as many items, open requests or files as the limit, drops the oldest of them.
  private mutating func dropOldItems() {
    guard let limit else { return }
    func first(_ numbers: some Collection<Int>) -> Int? {
      numbers.count < 2 * limit ? nil : numbers.sorted()[numbers.count - limit]
    }
    if let first = first(known.keys) {
      known = known.filter { $0.key >= first }
      open = open.filter { $0.key >= first }
      files = files.filter { $0.value >= first }
    }
    // Requests that fail leave no item, but a file may have their content.
    if let first = first(open.keys) { open = open.filter { $0.key >= first } }
    if let first = first(files.values) { files = files.filter { $0.value >= first } }
  }

  /// Applies an account's new UPN to all of its data.
  private mutating func rename(_ old: String, to new: String) {
    for (former, present) in renamed where present.lowercased() == old.lowercased() {
      renamed[former] = new
    }
    renamed[old.lowercased()] = new
    if managed.contains(old.lowercased()) { managed.insert(new.lowercased()) }
    let account = Account(upn: old)
    known = known.mapValues { $0.owner(account, renamedTo: new) }
    open = open.mapValues { $0.owner(account, renamedTo: new) }
  }

  private mutating func record(_ participant: Participant?) {
    guard let participant else { return }
    record([participant.guest, participant.app])
    guard let identity = participant.identity, !identity.isEmpty else { return }
    record(account: identity)
    if participant.isManaged { managed.insert(identity.lowercased()) }
  }

  private mutating func record(_ names: [String]) {
    if limit == nil { self.names.formUnion(names) }
  }

  private mutating func record(account: String) { if limit == nil { accounts.insert(account) } }

  private mutating func add(_ decision: RequestDecision, _ event: JournalEvent) {
    let operation = decision.operation.row
    guard operation.delivery != .answer else { return }
    switch operation.farEnd {
    case .file: addFile(decision, event)
    // A copied item. A pasted one has a receiver.
    case .pasteboard where decision.receiver == nil:
      open[decision.request] = hop(decision, event, .pasteboard, from: decision.from)
    case .app, .opener, .page, .system, .location, .pasteboard, .keychain, .encryptedFile, .device,
      .unnamedDevice, .ownDevices, nil:
      guard let holder = Holder(decision) else { return }
      open[decision.request] = hop(decision, event, holder, from: decision.from)
    }
  }

  // MARK: Files

  private mutating func addFile(_ decision: RequestDecision, _ event: JournalEvent) {
    guard let path = decision.subject else { return }
    let content = files[path].map { [$0] } ?? []
    if let target = decision.target {
      files[path] = nil
      store(hop(decision, event, .file(target), from: content), in: target)
    } else if decision.operation == .removeFile {
      files[path] = nil
    } else {
      switch decision.use {
      case .beginning: store(hop(decision, event, .file(path), from: []), in: path)
      case .updating: store(hop(decision, event, .file(path), from: content), in: path)
      case .reading:
        guard let reader = decision.sender else { return }
        open[decision.request] = hop(decision, event, .app(reader), from: content)
      case .asking, nil: break
      }
    }
  }

  private mutating func store(_ hop: Hop, in path: String) {
    files[path] = hop.number
    open[hop.number] = hop
  }

  // MARK: Hops

  private func hop(
    _ decision: RequestDecision, _ event: JournalEvent, _ holder: Holder, from items: [Int]
  ) -> Hop {
    var sources = items.filter(isKnown).map { Hop.SourceItem(item: $0, certainty: .certain) }
    for item in decision.stated where !items.contains(item) && had(decision.sender, item) {
      sources.append(Hop.SourceItem(item: item, certainty: .stated))
    }
    sources += decision.likely.filter(isKnown).map { Hop.SourceItem(item: $0, certainty: .likely) }
    let owner = decision.owner ?? decision.sender?.identity ?? ""
    let isManaged =
      managed.contains(owner.lowercased()) || sources.contains { item($0.item)?.isManaged == true }
    // Ciphertext that an app received stays ciphertext when forwarded. Ciphertext on the pasteboard may be
    // readable for the pasting app.
    let origins = sources.compactMap { item($0.item) }
    let wasCiphertext = !origins.isEmpty && origins.allSatisfy(\.isCiphertext)
    let isEncrypted = decision.verdict.outcome == .encrypted || wasCiphertext
    return Hop(
      number: decision.request, operation: decision.operation, time: event.time,
      event: event.sequence, sources: sources.unique, sender: decision.sender, holder: holder,
      owner: owner, isManaged: isManaged, isEncrypted: isEncrypted,
      isCiphertext: wasCiphertext || isEncrypted && holder.participant != nil,
      isUnmanaged: isManaged && !isEncrypted && !decision.staysInside
        && holder.isUnmanaged(for: owner),
      reason: decision.verdict.decidedBy)
  }

  private func item(_ number: Int) -> Hop? { known[number] ?? open[number] }

  private func isKnown(_ number: Int) -> Bool { item(number) != nil }

  /// Returns whether the sender's app had the item. A guest's statements about other items are ignored.
  private func had(_ sender: Participant?, _ number: Int) -> Bool {
    guard let sender, let hop = item(number) else { return false }
    return switch hop.holder {
    case .app(let holder): holder.app == sender.app
    // The app that opened the file may read it.
    case .file, .pasteboard: hop.sender?.app == sender.app
    case .device, .outside: false
    }
  }
}

extension Holder {
  /// Creates the holder of data after a transfer to an app, the system or a storage location. Returns nil if the
  /// decision moves no data.
  fileprivate init?(_ decision: RequestDecision) {
    guard decision.owner != nil else { return nil }
    let opensURL = decision.operation.row.farEnd == .opener
    if let receiver = decision.receiver {
      self = .app(receiver)
    } else if decision.sender != nil, decision.bytes != nil || opensURL {
      // Without an item, the guest only asked whether the transfer is allowed.
      self = Holder(outside: decision)
    } else {
      return nil
    }
  }

  private init(outside decision: RequestDecision) {
    guard decision.operation == .saveTo, let subject = decision.subject else {
      self = .outside(decision.operation.rawValue, account: nil)
      return
    }
    let (place, account) = StorageLocation.parts(ofSubject: subject)
    self = .outside(place, account: account)
  }

  /// Returns whether no policy protects the holder's data of `owner`.
  fileprivate func isUnmanaged(for owner: String) -> Bool {
    switch self {
    case .app(let participant): !participant.isManaged
    case .pasteboard, .file, .device: false
    case .outside(_, let account):
      account.map { !Account(upn: $0).matches(identifier: owner) } ?? true
    }
  }
}

extension RequestDecision {
  /// Whether the request moves the data neither out of the app nor to another account.
  fileprivate var staysInside: Bool {
    // A moved file leaves the path in `subject`.
    operation == .openFile && subject?.hasPrefix("Containers/") == true
      || operation.staysWithAccount(decidedBy: verdict.deciding)
  }
}

extension ExplainedVerdict {
  fileprivate var decidedBy: Explanation {
    reasons.first { $0.rule == deciding }
      ?? Explanation(rule: deciding, side: .device, text: deciding.rawValue)
  }
}

extension [Hop.SourceItem] {
  /// The sources without duplicate items. Each item has the best certainty of its duplicates.
  fileprivate var unique: [Hop.SourceItem] {
    var seen: Set<Int> = []
    return sorted { ($0.certainty, $0.item) < ($1.certainty, $1.item) }
      .filter { seen.insert($0.item).inserted }
  }
}

extension Hop {
  fileprivate func owner(_ account: Account, renamedTo new: String) -> Hop {
    guard account.matches(identifier: owner) else { return self }
    var hop = self
    hop.owner = new
    return hop
  }
}

extension Transport {
  /// The operation by which the item left the sending device.
  fileprivate var operation: Operation {
    switch self {
    case .airDrop: .airDrop
    case .mail: .mailComposer
    case .message: .messageComposer
    case .universalClipboard: .universalClipboard
    case .storage: .saveTo
    }
  }
}

// MARK: - Multiple devices

extension Lineage {
  /// Creates the lineage of items on several devices, including transfers between them.
  ///
  /// - Parameter journals: All events of each device's journal, in order.
  package init(ofDevices journals: [[JournalEvent]]) {
    guard journals.count > 1 else {
      self.init(journals.first ?? [])
      return
    }
    var reading = DeviceJournals(journals)
    reading.readAll()
    self.init(reading.hops, of: reading.builders)
  }
}

/// The journals of several devices, read in an order in which items are sent before they arrive.
private struct DeviceJournals {
  private let journals: [[JournalEvent]]
  private(set) var builders: [LineageBuilder]
  /// The number of events read from each journal.
  private var read: [Int]
  /// The index of each device's journal, by device name.
  private var indices: [String: Int] = [:]
  /// The indices of the journals that wait for another device's events, by the other device's name.
  private var waiting: [String: [Int]] = [:]
  /// The number of each request's hop (movement of data), which is unique among all devices.
  private var numbers: [Hop.RequestID: Int] = [:]
  /// The sending request for each item that arrived from another device.
  private var origins: [Hop.RequestID: Hop.RequestID] = [:]

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
        guard advance(index, arrivals: .known) else { continue }
        // Journals that waited for this device can continue.
        if let device = builders[index].device { next += waiting.removeValue(forKey: device) ?? [] }
      }
      while first < journals.count, read[first] == journals[first].count { first += 1 }
      guard first < journals.count else { return }
      // The sender's journal is missing or truncated.
      _ = advance(first, arrivals: .any)
      next.append(first)
      if let device = builders[first].device { next += waiting.removeValue(forKey: device) ?? [] }
    }
  }

  private enum Arrivals { case known, any }

  /// Reads a journal up to an arrival whose sending request has not yet been read in the other device's journal.
  ///
  /// - Parameter arrivals: Whether to read such an arrival anyway, without its origin, if it is the first event that
  ///   this call reads.
  /// - Returns: Whether any events were read.
  private mutating func advance(_ index: Int, arrivals: Arrivals) -> Bool {
    let start = read[index]
    while read[index] < journals[index].count {
      let event = journals[index][read[index]]
      var origin: Hop?
      if case .itemArrived(let item, _, let device, let request, _, _, _) = event.kind {
        origin = hop(Hop.RequestID(device: device, request: request))
        if origin == nil, arrivals == .known || read[index] > start {
          waiting[device, default: []].append(index)
          break
        }
        if origin != nil, let own = builders[index].device {
          origins[Hop.RequestID(device: own, request: item)] = Hop.RequestID(
            device: device, request: request)
        }
      }
      builders[index].add(event, from: origin)
      if case .deviceStarted(let device, _) = event.kind { indices[device] = index }
      record(event, index)
      read[index] += 1
    }
    return read[index] > start
  }

  private func hop(_ id: Hop.RequestID) -> Hop? {
    indices[id.device].flatMap { builders[$0].hop(id.request) }
  }

  /// Assigns a number to the hop that a decision or an arrival may create. The number is higher than the numbers of the
  /// hop's sources.
  private mutating func record(_ event: JournalEvent, _ index: Int) {
    guard let device = builders[index].device else { return }
    switch event.kind {
    case .decided(let decision):
      numbers[Hop.RequestID(device: device, request: decision.request)] = numbers.count + 1
    case .itemArrived(let item, _, _, _, _, _, _):
      numbers[Hop.RequestID(device: device, request: item)] = numbers.count + 1
    case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation,
      .stepFailed, .caseEnded, .faultInjected, .guestStarted, .guestReady, .guestSuspended,
      .guestResumed, .guestExited, .claimIgnored, .accountEnrolled, .accountSignedIn,
      .accountSignedOut, .identitySwitched, .identitySwitchRequired, .accessChecked,
      .accountNotAllowed, .accountRenamed, .wipeAdvanced, .accountWiped, .policyChanged,
      .policySaved, .appConfigured, .configurationDelivered, .notificationPosted,
      .telemetryRecorded,
      .declarationsApplied, .managedAppChanged, .administratorInformed, .delegateAsked,
      .enrollmentAsked, .enrollmentAnswered, .complianceAnswered, .remediationLooped, .policyAbsent,
      .policyStated, .factsStated, .ended, .extensionCompleted, .extensionCancelled:
      break
    }
  }

  /// The movements of data on all devices, with numbers that are unique among all devices.
  var hops: [Hop] {
    builders.flatMap { builder in
      builder.hops.map { numbered($0, of: builder.device ?? "") }
    }.sorted { $0.number < $1.number }
  }

  private func numbered(_ hop: Hop, of device: String) -> Hop {
    var numbered = hop
    let id = Hop.RequestID(device: device, request: hop.number)
    numbered.requestID = id
    numbered.number = numbers[id] ?? 0
    numbered.sources = hop.sources.compactMap { source in
      numbers[Hop.RequestID(device: device, request: source.item)].map {
        Hop.SourceItem(item: $0, certainty: source.certainty)
      }
    }
    if let origin = origins[id].flatMap({ numbers[$0] }) {
      numbered.sources.append(Hop.SourceItem(item: origin, certainty: .certain))
    }
    return numbered
  }
}
