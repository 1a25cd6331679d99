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
