internal import Encodings
internal import GraphDocuments
internal import Leaks
internal import Model
internal import Output
internal import Policy

/// The ways by which data of the work account can leave the policy on the sample device, as `sluice leaks` finds them
/// for honest apps: retyping reaches every place, whatever the policy.
struct WaysOut: Sendable {
  /// The inputs that determine the ways.
  struct Input: Sendable, Equatable {
    var settings: Settings
    var targeting: Targeting
  }

  let leaks: [Leak]
  /// The places and ways that the search leaves out, as a clause.
  let notSearched: String
  private let settings: Settings

  init(_ document: PolicyDocument) {
    let search = LeakSearch(SampleDevice(document).world, .honest)
    let report = search.explore()
    let paths = Set(report.leaks.map { Self.path($0) })
    // Links to a place that data reaches otherwise, too, have settings of their own.
    let links = [Channel.openURL, .universalLink].flatMap { search.explore(through: $0) }
    leaks = report.leaks + links.filter { !paths.contains(Self.path($0)) }
    notSearched = report.notSearched
    settings = document.settings
  }

  private static func path(_ leak: Leak) -> [String] { leak.hops.map(\.text) }

  /// The number of places that data reaches.
  var placeCount: Int { Set(leaks.map(\.sink.text)).count }

  /// Writes the ways. Ways that the saved file does not have are marked as new; ways that only the saved file has
  /// are listed as closed.
  ///
  /// - Parameter writeChange: Writes the members of a change, by the settings that it leads to.
  func write(
    since old: WaysOut, to writer: inout JSONWriter,
    _ writeChange: (inout JSONWriter, Settings) -> Void
  ) {
    let known = Set(old.leaks.map(Arrival.init))
    let present = Set(leaks.map(\.sink))
    let groups = [
      leaks.filter { !known.contains(Arrival($0)) }, leaks.filter { known.contains(Arrival($0)) },
    ]
    .flatMap { Way.grouping($0) }
    writer.member("places", placeCount)
    writer.objects("ways", of: groups) { writer, way in
      way.writeMembers(under: settings, to: &writer)
      writer.objects("proposals", of: way.proposals) { writer, proposal in
        writer.member("text", proposal.text)
        writeChange(&writer, proposal.settings)
      }
      writer.member("isNew", !known.contains(Arrival(way.leaks[0])))
    }
    let closed = Way.grouping(old.leaks.filter { !present.contains($0.sink) })
    writer.objects("closed", of: closed) { $1.writeMembers(under: old.settings, to: &$0) }
    writer.member("notSearched", notSearched)
  }
}

/// The arrival of data at a place, by any way or by a link.
private struct Arrival: Hashable {
  var sink: Leak.Sink
  /// The kind of link that leads to the place, as a phrase; nil if the data arrives otherwise.
  var link: String?

  init(_ leak: Leak) {
    sink = leak.sink
    guard case .open(let opened, _, _)? = leak.hops.last?.action else { return }
    let isWebLink = ["http:", "https:"].contains { opened.opened.hasPrefix($0) }
    link =
      if opened.channel == .universalLink {
        "by a universal link"
      } else {
        isWebLink ? "by a web link" : "by a URL scheme"
      }
  }
}

/// Leaks that differ only in the place that the last hop reaches.
private struct Way {
  /// At least one.
  var leaks: [Leak]
  private let path: [String]
  /// The smallest changes that close the way.
  let proposals: [SettingProposal]

  private init(_ leak: Leak) {
    leaks = [leak]
    proposals = Self.proposals(for: leak)
    let last = leak.hops.last
    let verdict = last?.verdict
    let isHandOff = if case .handOff? = last?.action { true } else { false }
    path =
      leak.hops.dropLast().map(\.text)
      + [isHandOff ? "\(last?.app ?? "") \(last?.persona ?? "")" : last?.text ?? ""]
      + [Self.kind(of: leak), verdict?.deciding.rawValue ?? ""] + proposals.map(\.text)
  }

  static func grouping(_ leaks: [Leak]) -> [Way] {
    var ways: [Way] = []
    for leak in leaks {
      let way = Way(leak)
      if let index = ways.firstIndex(where: { $0.path == way.path }) {
        ways[index].leaks.append(leak)
      } else {
        ways.append(way)
      }
    }
    return ways
  }

  private static func kind(of leak: Leak) -> String {
    switch leak.sink {
    case .app: "app"
    case .outside(let outside): outside.location == nil ? "system" : "storage"
    }
  }

  /// Returns the smallest changes of the policy that block one of the hops, without duplicates.
  private static func proposals(for leak: Leak) -> [SettingProposal] {
    var proposals: [SettingProposal] = []
    for request in leak.hops.flatMap(\.requests) {
      guard let policy = request.sender.policy ?? request.owner.policy ?? request.appPolicy else {
        continue
      }
      let found = SettingProposal.reversing(request, in: policy) { changed in
        evaluate(request.replacing(policy, with: changed)).outcome
      }
      for proposal in found where !proposals.map(\.text).contains(proposal.text) {
        proposals.append(proposal)
      }
    }
    return proposals
  }

  /// The names of the places, the most commonly used first.
  private var places: [String] {
    let order = leaks.enumerated().sorted {
      ($0.element.sink.usage, $0.offset) < ($1.element.sink.usage, $1.offset)
    }
    return order.map(\.element.sink.text).unique
  }

  /// The storage locations by their accounts, the most commonly used first; empty for a way to other places.
  private var storage: [(account: String, locations: [String])] {
    let outsides = leaks.compactMap { leak -> LeakHop.Outside? in
      guard case .outside(let outside) = leak.sink, outside.location != nil else { return nil }
      return outside
    }
    let ordered = outsides.sorted {
      ($0.location?.usage ?? 0, $0.account ?? "") < ($1.location?.usage ?? 0, $1.account ?? "")
    }
    let named = ordered.filter { $0.isOfKnownAccount }
    let accounts = named.compactMap(\.account).unique.map { account in
      (account, named.filter { $0.account == account }.compactMap(\.location?.title).unique)
    }
    let others = ordered.filter { !$0.isOfKnownAccount }.compactMap(\.location?.title).unique
    return accounts + (others.isEmpty ? [] : [("no account, or an unknown one", others)])
  }

  /// - Parameter settings: The policy's.
  func writeMembers(under settings: Settings, to writer: inout JSONWriter) {
    let leak = leaks[0]
    let places = places
    writer.strings("places", places)
    if places.count > 1 {
      writer.objects("storage", of: storage) { writer, group in
        writer.member("account", group.account)
        writer.strings("locations", group.locations)
      }
    }
    writer.member("link", Arrival(leak).link)
    writer.member("kind", Self.kind(of: leak))
    writer.objects("hops", of: Array(leak.hops.enumerated())) { writer, numbered in
      let (number, hop) = numbered
      let isLast = number == leak.hops.count - 1
      writer.member(
        "text",
        isLast && places.count > 1 ? "\(hop.app) as \(hop.persona) → these places" : hop.text)
      guard let verdict = hop.verdict else { return }
      let reason = verdict.reasons.first { $0.rule == verdict.deciding }
      writer.member("rule", verdict.deciding.rawValue)
      writer.member("setting", reason?.label)
      writer.member("value", reason?.setting.flatMap(Setting.init).flatMap(settings.words))
      writer.member("why", reason?.text)
    }
  }
}

extension Leak.Sink {
  /// The rank of a storage location by use; 0 for other places.
  fileprivate var usage: Int {
    guard case .outside(let outside) = self else { return 0 }
    return outside.location?.usage ?? 0
  }
}

extension LeakHop.Outside {
  /// Whether the location belongs to an account that is signed in to the app.
  fileprivate var isOfKnownAccount: Bool {
    account != nil && account != "unset" && account != "unknown"
  }
}

extension StorageLocation {
  /// The rank of the location by common use: 0 for the one that is used most.
  fileprivate var usage: Int {
    switch self {
    case .oneDriveForBusiness: 0
    case .sharePoint: 1
    case .cameraRoll, .photos: 2
    case .localDrive, .localStorage: 3
    case .googleDrive: 4
    case .dropbox: 5
    case .box: 6
    case .camera: 7
    case .accountDocument: 8
    case .egnyte: 9
    case .iManage: 10
    case .other: 11
    }
  }
}

extension Workbench {
  /// Returns the ways out under the changed policy.
  func waysOut(_ index: PolicyIndex) -> WaysOut { ways(under: document(index)) }

  /// Returns the ways out under the policy of the saved file.
  func waysOutBefore(_ index: PolicyIndex) -> WaysOut { ways(under: original(index)) }

  private func ways(under document: PolicyDocument) -> WaysOut {
    let input = WaysOut.Input(settings: document.settings, targeting: document.targeting)
    return waysOut.value(for: input) { WaysOut(document) }
  }
}

extension TransferRequest {
  /// Returns the request with another policy wherever `policy` applies.
  fileprivate func replacing(
    _ policy: EffectivePolicy, with other: EffectivePolicy
  ) -> TransferRequest {
    let replaced = { (present: EffectivePolicy?) in present === policy ? other : present }
    var request = self
    request.sender.policy = replaced(sender.policy)
    request.receiver.policy = replaced(receiver.policy)
    request.owner.policy = replaced(owner.policy)
    request.appPolicy = replaced(appPolicy)
    return request
  }
}
