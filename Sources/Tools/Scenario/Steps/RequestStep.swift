package import Model
package import Wire

/// A step in which a guest makes one request.
package protocol RequestStep: StepDetail {
  /// Returns the request, with the accounts' names in the scenario replaced by UPNs.
  func request(in world: some StepWorld) -> StepRequest
}

/// The accounts and apps of a scenario during its run.
package protocol StepWorld {
  /// Returns the current UPN of the account that the scenario calls `name`.
  func accountID(_ name: String) -> String
  /// Returns the client capabilities that the scenario states for the guest's app.
  func capabilities(of guest: String) -> [String]
  /// Returns the choice in a share sheet that selects the app or extension whose name or bundle id is `name`.
  func shareDestination(_ name: String) -> ShareDestination
}

/// A step's instruction to its guest. Its ``InstructedContent`` determines the content of the item to send or of the
/// file to write.
package enum StepRequest: Sendable, Equatable {
  /// A request that the guest sends to the device.
  case send(GuestMessage.Body, InstructedContent)
  case work(FileWork, InstructedContent)
  /// A user's interaction, which the guest handles.
  case act(UserAct)

  package init(_ body: GuestMessage.Body, _ content: InstructedContent = .stated) {
    self = .send(body, content)
  }

  init(_ work: FileWork, _ content: InstructedContent = .stated) { self = .work(work, content) }
}

/// A ``RequestStep`` of any type, made comparable.
package struct RequestAction: Sendable, Equatable {
  package let detail: any RequestStep

  package static func == (one: RequestAction, other: RequestAction) -> Bool {
    one.detail.isEqual(to: other.detail)
  }
}

extension RequestStep {
  fileprivate func isEqual(to other: any RequestStep) -> Bool { other as? Self == self }
}

extension Action {
  package init(_ step: some RequestStep) { self = .request(RequestAction(detail: step)) }
}

extension IdentityReference {
  /// Returns the UPN of the referenced account: nil for no identity, `""` for an unknown account.
  package func accountID(_ world: some StepWorld) -> String? {
    switch self {
    case .unset: nil
    case .unknown: ""
    case .account(let name): world.accountID(name)
    }
  }
}

extension TaskReference {
  package func context(_ world: some StepWorld) -> TaskContext {
    TaskContext(thread: thread?.accountID(world), window: window ?? "")
  }
}

extension StepItem {
  /// The item stated in the step; an empty item if the step uses the guest's last received item.
  package var stated: Item {
    switch self {
    case .stated(let item): item
    case .held: Item(text: "")
    }
  }

  package var content: InstructedContent {
    switch self {
    case .stated: .stated
    case .held(.received): .received
    case .held(.retyped): .retyped
    }
  }
}

// MARK: - Requests by name

extension Action {
  /// A request of the protocol, stated with the names in `proto/sluice.proto`. It can be a request for which there is
  /// no other step.
  package struct NamedRequest: RequestStep, GuestStep {
    package var guest: String
    /// The request's name, such as `open_url`.
    package var name: String
    package var body: GuestMessage.Body
  }
}

extension Action.NamedRequest {
  package var text: String { "\(guest) sends the request `\(name)`" }

  package func request(in world: some StepWorld) -> StepRequest { StepRequest(body) }

  static let step = StepRow(
    "request",
    "Send a request of the guests' protocol by its name, also one that has no step",
    .mapping(MappingRow("request", Key.self)),
    example: #"{"app": "mail", "name": "open_url", "fields": {"url": "https://example.org/"}}"#,
    by: .task, expects: .request.union([.returned]),
    page: "#requests-by-name"
  ) { (value, names) throws(InputError) in Action(try Action.NamedRequest(value, names)) }

  private enum Key: String, MappingKey {
    case app, name, fields

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .name:
        .required(
          .word(of: GuestMessage.Body.requestNames), "The request's name in `proto/sluice.proto`")
      case .fields:
        .optional(
          ValueShape(json: #""type": "object""#),
          "The request's fields by their names in `proto/sluice.proto`. Accounts are UPNs or object ids, and "
            + "bytes are text. Default: protobuf's defaults")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let keys = try Fields<Key>(value, "a request")
    guest = try names.guest(keys.required(.app))
    name = try keys.required(.name).choice(
      of: GuestMessage.Body.requestNames, listedIn: "proto/sluice.proto")
    let fields = keys[.fields]
    let values = try fields.map { value throws(InputError) in try Self.fields(value) } ?? [:]
    do throws(FieldError) {
      body = try GuestMessage.Body(request: name, values)
    } catch {
      throw (fields ?? value).mistake(.invalidValue, error.description)
    }
  }

  private static func fields(_ value: YAMLValue) throws(InputError) -> [String: FieldValue] {
    var fields: [String: FieldValue] = [:]
    for member in try value.mapping() { fields[member.key] = try field(member.value) }
    return fields
  }

  private static func field(_ value: YAMLValue) throws(InputError) -> FieldValue {
    switch value.kind {
    case .scalar: return .text(try value.text())
    case .mapping: return .part(try fields(value))
    case .sequence(let elements):
      var list: [FieldValue] = []
      for element in elements { list.append(try field(element)) }
      return .list(list)
    }
  }
}
