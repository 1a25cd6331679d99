internal import JSON
internal import Model

/// One end of requests on the map: an app that acts for an identity, or a place outside of all apps.
struct Node: Hashable {
  /// The guest, one of several by its own name, and an extension whatever its run; a place by its name.
  var name: String
  /// The bundle id; empty for a place.
  var app: String
  /// The effective identity: nil where none is set, `""` where it is unknown.
  var identity: String?
  var column: Column

  /// The column of the map in which the node stands.
  enum Column: Int {
    case managed, unmanaged, outside
  }

  init(_ participant: Participant) {
    name = String(participant.guest.prefix { $0 != "#" })
    app = participant.app
    identity = participant.identity
    column = participant.isManaged ? .managed : .unmanaged
  }

  private init(outside name: String) {
    self.name = name
    app = ""
    column = .outside
  }

  /// The node's name for people.
  var text: String {
    switch identity {
    case nil: name
    case ""?: "\(name) · unknown account"
    case let account?: "\(name) · \(account)"
    }
  }

  /// The ends of a request's arrow; nil where it moves nothing between two.
  static func ends(of decision: RequestDecision) -> (from: Node, to: Node)? {
    let (sender, receiver) = (decision.sender.map(Node.init), decision.receiver.map(Node.init))
    switch (sender, receiver) {
    case (let sender?, let receiver?): return (sender, receiver)
    case (let sender?, nil): return decision.place.map { (sender, Node(outside: $0)) }
    case (nil, let receiver?): return decision.place.map { (Node(outside: $0), receiver) }
    case (nil, nil): return nil
    }
  }
}

extension RequestDecision {
  /// The place outside of all apps that a request takes data to or from; nil where it does neither.
  fileprivate var place: String? {
    switch operation {
    case .copy, .paste: "pasteboard"
    case .saveTo, .openFrom: subject?.filter { $0 != "`" } ?? operation.rawValue
    case .keychainAdd, .keychainQuery, .keychainDelete: subject.map { "keychain \($0)" }
    case .airDrop: subject.map { "airDrop to \($0)" } ?? operation.rawValue
    case .openReceived: subject.map { "received by \($0)" } ?? operation.rawValue
    // To or from the system, or in a URL to an app that is not named.
    case .openURL, .universalLink, .appClip, .contactRead, .contactSync, .documentPickerExport,
      .documentPickerImport, .mailComposer, .messageComposer, .print, .notification, .widget,
      .spotlight, .siriIntents, .appIntents, .backup, .screenCapture, .writingTools, .genmoji,
      .keyboard, .webView, .safariExtension, .fileEncryption,
      .universalClipboard:
      operation.rawValue
    // From one app to another, which both are named unless the request failed before anybody was found.
    case .share, .openIn, .import, .dragAndDrop, .loadItem, .completeExtension, .canReceive: nil
    // Within the app, or about its accounts.
    case .signIn, .signOut, .enroll, .unenroll, .remediate, .acquireToken,
      .switchIdentity, .openFile, .moveFile, .removeFile, .protectData, .unprotectData,
      .conditionalLaunch, .extensionCall, .managedConfiguration, .legacyManagedConfiguration,
      .managedIdentifiers, .managedPassword, .managedCertificate, .managedIdentity,
      .managedSignature, .managedReport:
      nil
    }
  }
}

// MARK: - The table

/// The nodes of a map, each by a number, and the groups that they are in.
struct NodeTable {
  private(set) var nodes: [Node] = []
  private var numbers: [Node: Int] = [:]
  /// The policies of each account in each app, by bundle id and UPN in lower case.
  private var policies: [[String]: String] = [:]
  /// The teams of apps, by bundle id.
  private var teams: [String: String] = [:]
  /// The number of requests between two nodes.
  private var weights: [Pair: Int] = [:]

  private struct Pair: Hashable {
    var from: Int
    var to: Int
  }

  /// Nodes that are shown as one.
  struct Groups {
    /// The group of each node.
    var of: [Int] = []
    var names: [String] = []
    var sizes: [Int] = []
  }

  mutating func number(of node: Node) -> Int {
    if let number = numbers[node] { return number }
    nodes.append(node)
    numbers[node] = nodes.count - 1
    return nodes.count - 1
  }

  /// - Returns: nil where the node is new and there are `limit` already.
  mutating func number(of node: Node, atMost limit: Int) -> Int? {
    numbers[node] ?? (nodes.count < limit ? number(of: node) : nil)
  }

  mutating func connect(_ from: Int, _ to: Int) {
    weights[Pair(from: from, to: to), default: 0] += 1
  }

  /// Notes which policies an account is under in an app.
  mutating func note(_ names: [String], of account: String, in app: String) {
    guard !names.isEmpty else { return }
    policies[[app, account.lowercased()]] = names.joined(separator: ", ")
  }

  /// Notes the team that publishes an app.
  mutating func note(team: String, of app: String) {
    teams[app] = team
  }

  // MARK: groups

  /// The nodes by bundle id and by who manages them, and places each for itself.
  var byBundle: Groups { groups { $0.app.isEmpty ? $0.name : $0.app } }

  /// The nodes by the policies of their account.
  var byPolicy: Groups {
    groups { node in
      switch node.column {
      case .outside: node.name
      case .unmanaged: "no policy"
      case .managed:
        policies[[node.app, node.identity?.lowercased() ?? ""]] ?? "a policy"
      }
    }
  }

  /// The nodes by the teams that publish their apps.
  var byTeam: Groups {
    groups { $0.app.isEmpty ? $0.name : teams[$0.app] ?? "a team that the journal does not tell" }
  }

  private func groups(_ name: (Node) -> String) -> Groups {
    var groups = Groups()
    var known: [String: Int] = [:]
    for node in nodes {
      let text = name(node)
      let key = "\(node.column.rawValue) \(text)"
      let group = known[key] ?? groups.names.count
      if group == groups.names.count {
        known[key] = group
        groups.names.append(text)
        groups.sizes.append(0)
      }
      groups.sizes[group] += 1
      groups.of.append(group)
    }
    return groups
  }

  // MARK: layout

  /// The nodes from above to below, in whatever column: by name first, then each near those with which it has to do, so
  /// that fewer arrows cross.
  var order: [Int] {
    var ranks = [Double](repeating: 0, count: nodes.count)
    var columns = Dictionary(grouping: nodes.indices) { nodes[$0].column }
      .mapValues { $0.sorted { Self.precedes(nodes[$0], nodes[$1]) } }
    func rank(_ column: [Int]) {
      for (place, node) in column.enumerated() {
        ranks[node] = Double(place) / Double(column.count)
      }
    }
    for column in columns.values { rank(column) }
    let neighbours = neighbours
    for column in [Node.Column.unmanaged, .outside, .managed, .unmanaged, .outside] {
      guard var members = columns[column] else { continue }
      let centres = members.map { node in
        (node, Self.centre(of: neighbours[node] ?? [], ranks) ?? ranks[node])
      }
      let places = Dictionary(uniqueKeysWithValues: zip(members, members.indices))
      members = centres.sorted {
        ($0.1, places[$0.0] ?? 0) < ($1.1, places[$1.0] ?? 0)
      }.map(\.0)
      columns[column] = members
      rank(members)
    }
    return [Node.Column.managed, .unmanaged, .outside].flatMap { columns[$0] ?? [] }
  }

  /// The nodes at the other ends of each node's arrows, with the number of requests.
  private var neighbours: [Int: [(node: Int, weight: Int)]] {
    var neighbours: [Int: [(node: Int, weight: Int)]] = [:]
    for (pair, weight) in weights.sorted(by: { ($0.key.from, $0.key.to) < ($1.key.from, $1.key.to) }
    )
    where nodes[pair.from].column != nodes[pair.to].column {
      neighbours[pair.from, default: []].append((pair.to, weight))
      neighbours[pair.to, default: []].append((pair.from, weight))
    }
    return neighbours
  }

  private static func centre(
    of neighbours: [(node: Int, weight: Int)], _ ranks: [Double]
  ) -> Double? {
    guard !neighbours.isEmpty else { return nil }
    let total = neighbours.reduce(0) { $0 + $1.weight }
    return neighbours.reduce(0) { $0 + ranks[$1.node] * Double($1.weight) } / Double(total)
  }

  /// Names in their order, with numbers at their ends by value.
  private static func precedes(_ left: Node, _ right: Node) -> Bool {
    func key(_ node: Node) -> (String, String, Int, String) {
      let digits = node.name.reversed().prefix { $0.isASCII && $0.isNumber }.count
      return (
        node.app, String(node.name.dropLast(digits)), Int(node.name.suffix(digits)) ?? 0,
        node.identity ?? ""
      )
    }
    return key(left) < key(right)
  }

  // MARK: JSON

  /// The number of nodes up to which each is shown for itself at first.
  private static let mostNodes = 60

  /// Writes the nodes from one on, and of all the order and the groups, as members of an object.
  func write(from start: Int, to writer: inout JSONWriter) {
    writer.array("nodes") { writer in
      for node in nodes[start...] {
        writer.object { writer in
          writer.member("text", node.text)
          writer.member("column", node.column.rawValue)
        }
      }
    }
    writer.numbers("order", order)
    writer.member("grouping", nodes.count > Self.mostNodes ? "bundle" : "guest")
    writer.object("groups") { writer in
      writer.member(named: "bundle", byBundle.write)
      writer.member(named: "policy", byPolicy.write)
      writer.member(named: "team", byTeam.write)
    }
  }
}

extension NodeTable.Groups {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.numbers("of", of)
      writer.strings("names", names)
      writer.numbers("size", sizes)
    }
  }
}
