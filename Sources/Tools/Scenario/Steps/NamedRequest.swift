import Model
package import Wire

extension Action {
  /// A request of the protocol, stated by the names of `proto/sluice.proto`. It needs no step of its
  /// own.
  package struct NamedRequest: StepDetail {
    package var guest: String
    /// The request's name, such as `open_url`.
    package var name: String
    package var body: GuestMessage.Body
  }
}

extension Action.NamedRequest {
  package var actingGuest: String? { guest }

  package var text: String { "\(guest) sends the request `\(name)`" }

  static let step = StepRow(
    "request",
    "Send a request of the guests' protocol by its name, also one that has no step",
    .mapping(MappingRow("request", Key.self)),
    example: #"{"app": "mail", "name": "open_url", "fields": {"url": "https://example.org/"}}"#,
    by: .task, expects: .request.union([.returned]),
    page: "#requests-by-name"
  ) { (value, names) throws(InputError) in .request(try Action.NamedRequest(value, names)) }

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
