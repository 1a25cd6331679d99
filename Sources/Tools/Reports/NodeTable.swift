internal import Encodings
internal import Model

/// A sender or receiver on the map: an app with an acting identity, or a place outside all apps.
struct Node: Hashable {
  /// The name of a guest, of an extension without its run number, or of a place.
  var name: String
  /// The bundle id; empty for a place.
  var app: String
  /// The effective identity; nil if unset, `""` if unknown.
  var identity: String?
  var column: Column
  /// The name of the device; empty if only one device takes part in the case.
  var device = ""

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

  var text: String {
    switch identity {
    case nil: name
    case ""?: "\(name) · unknown account"
    case let account?: "\(name) · \(account)"
    }
  }

  /// Returns the sender and receiver of a request; nil if it moves no data between nodes.
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
  /// The request's subject as readers see it. For a storage location, this is the location's title, followed by its
  /// account if the account is known.
  var shownSubject: String? {
    guard let subject, operation.row.farEnd == .location else { return subject }
    let (name, account) = StorageLocation.parts(ofSubject: subject)
    return StorageLocation.text(name, of: account)
  }

  /// The request's source or destination outside all apps; nil if there is none.
  fileprivate var place: String? {
    switch operation.row.farEnd {
    case .pasteboard: "pasteboard"
    case .location: shownSubject ?? operation.rawValue
    case .keychain: subject.map { "keychain \($0)" }
    case .device: subject.map { "AirDrop to \($0)" } ?? "AirDrop"
    case .unnamedDevice: "received by \(Self.transportName(subject))"
    case .ownDevices: "Universal Clipboard"
    // Places with no other name, and an unnamed app that opens a URL.
    case .system, .page, .encryptedFile, .opener:
      Self.systemNames[operation] ?? operation.rawValue
    // An app is a node of its own. It is named, unless the request failed before it was found.
    case .app, .file, nil: nil
    }
  }
}

extension RequestDecision {
  /// The texts for the system's features, such as a printer, keyed by the operation that uses them.
  fileprivate static let systemNames = Dictionary(
    Channel.allCases.filter { $0.counterpart == .system }.map {
      ($0.row.operation, $0.row.counterpartWords)
    }, uniquingKeysWith: { first, _ in first })

  fileprivate static func transportName(_ subject: String?) -> String {
    switch subject.flatMap(Transport.init(rawValue:)) {
    case .airDrop, nil: "AirDrop"
    case .mail: "mail"
    case .message: "message"
    case .universalClipboard: "Universal Clipboard"
    case .storage: "cloud storage"
    }
  }
}

// MARK: - Node table

/// The nodes of a map by number, and their groupings.
struct NodeTable {
  private(set) var nodes: [Node] = []
  private var numbers: [Node: Int] = [:]
  /// The names of an account's policies in an app, as one text. The key is the bundle id and the UPN in lower case.
  private var policies: [[String]: String] = [:]
  /// The publishing team of each app, by bundle id.
  private var teams: [String: String] = [:]
  /// The number of requests between each pair of nodes.
  private var weights: [Pair: Int] = [:]

  private struct Pair: Hashable {
    var from: Int
    var to: Int
  }

  /// A grouping of nodes. Each group can be shown as one node.
  struct Groups {
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

  /// Returns the node's number, and adds the node if it is new. Returns nil if the node is new but the table already
  /// has `limit` nodes.
  mutating func number(of node: Node, atMost limit: Int) -> Int? {
    numbers[node] ?? (nodes.count < limit ? number(of: node) : nil)
  }

  mutating func connect(_ from: Int, _ to: Int) {
    weights[Pair(from: from, to: to), default: 0] += 1
  }

  mutating func record(_ names: [String], of account: String, in app: String) {
    guard !names.isEmpty else { return }
    policies[[app, account.lowercased()]] = names.joined(separator: ", ")
  }

  mutating func record(team: String, of app: String) {
    teams[app] = team
  }

  // MARK: Groupings

  /// The nodes grouped by bundle id, and by whether they are managed. Places form their own groups.
  var byBundle: Groups { groups { $0.app.isEmpty ? $0.name : $0.app } }

  /// The nodes grouped by the policies of their accounts.
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

  /// The nodes grouped by the teams that publish their apps.
  var byTeam: Groups {
    groups { $0.app.isEmpty ? $0.name : teams[$0.app] ?? "a team that the journal does not name" }
  }

  private func groups(_ name: (Node) -> String) -> Groups {
    var groups = Groups()
    var known: [String: Int] = [:]
    for node in nodes {
      let text = name(node)
      let key = "\(node.column.rawValue) \(node.device) \(text)"
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

  // MARK: Layout

  /// The nodes from top to bottom, column by column. They are sorted by name, then moved towards connected nodes to
  /// reduce crossing lines.
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

  /// For each node, the neighbours in other columns, with the number of requests between the two nodes.
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

  /// Returns whether `left` precedes `right` by app and name. Numbers at the ends of names are compared by value.
  private static func precedes(_ left: Node, _ right: Node) -> Bool {
    func key(_ node: Node) -> (String, String, Int, String, String) {
      let digits = node.name.reversed().prefix { $0.isASCII && $0.isNumber }.count
      return (
        node.app, String(node.name.dropLast(digits)), Int(node.name.suffix(digits)) ?? 0,
        node.identity ?? "", node.device
      )
    }
    return key(left) < key(right)
  }

  // MARK: JSON

  /// The maximum number of nodes that are initially shown without grouping.
  private static let mostNodes = 60

  /// Writes the nodes from `start`, and the order and groupings of all nodes, as members of an object.
  func write(from start: Int, to writer: inout JSONWriter) {
    writer.array("nodes") { writer in
      for node in nodes[start...] {
        writer.object { writer in
          writer.member("text", node.text)
          writer.member("column", node.column.rawValue)
          if !node.device.isEmpty { writer.member("device", node.device) }
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
