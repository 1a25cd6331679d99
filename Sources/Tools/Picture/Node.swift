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
}

extension Node {
  /// The ends of a request's arrow; nil where it moves nothing between two.
  static func ends(of decision: RequestDecision) -> (from: Node, to: Node)? {
    let (sender, receiver) = (decision.sender.map(Node.init), decision.receiver.map(Node.init))
    switch (sender, receiver) {
    case (let sender?, let receiver?): return (sender, receiver)
    case (let sender?, nil): return place(after: decision).map { (sender, $0) }
    case (nil, let receiver?): return place(before: decision).map { ($0, receiver) }
    case (nil, nil): return nil
    }
  }

  /// The place to which a guest hands something.
  private static func place(after decision: RequestDecision) -> Node? {
    switch decision.operation {
    case .copy: Node(outside: "pasteboard")
    case .saveTo: Node(outside: location(decision))
    case .keychainAdd, .keychainQuery, .keychainDelete:
      decision.subject.map { Node(outside: "keychain \($0)") }
    case let operation where outgoing.contains(operation): Node(outside: operation.rawValue)
    default: nil
    }
  }

  /// The place from which a guest gets something.
  private static func place(before decision: RequestDecision) -> Node? {
    switch decision.operation {
    case .openFrom: Node(outside: location(decision))
    case .documentPickerImport, .contactRead: Node(outside: decision.operation.rawValue)
    default: nil
    }
  }

  private static func location(_ decision: RequestDecision) -> String {
    decision.subject?.filter { $0 != "`" } ?? decision.operation.rawValue
  }

  /// The operations by which data go to the system, or in a URL to an app that is not named.
  private static let outgoing = Set(
    Channel.allCases.filter { $0.counterpart == .system && !$0.isIncoming }.map(Operation.init)
      + [.openURL, .universalLink, .appClip])
}
