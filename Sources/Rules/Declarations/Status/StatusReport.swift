package import JSON
internal import Predicates

/// A device's report on its declarations.
///
/// Source: github.com/apple/device-management, `declarative/protocol/statusreport.yaml`.
package struct StatusReport: Sendable {
  /// An app's judgement of the configuration that it was given.
  package enum ConfigurationState: String, Sendable, Hashable {
    case valid, invalid
    /// The app has not read its configuration yet.
    case unknown
  }

  private let delivery: ManagedDelivery
  private let items: StatusItems
  private let feedback: [String: ConfigurationState]

  /// Creates a report.
  ///
  /// - Parameter feedback: The apps' judgements by the bundle identifier of apps and extensions; an app that is absent
  ///   has not read its configuration.
  package init(
    _ delivery: ManagedDelivery, items: StatusItems, feedback: [String: ConfigurationState] = [:]
  ) {
    self.delivery = delivery
    self.items = items
    self.feedback = feedback
  }

  /// Writes the complete report: the states of declarations, the device's capabilities, and the subscribed
  /// status items.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.object("StatusItems") { writer in
        for (key, value) in statusItems.sorted(by: { $0.key < $1.key }) {
          writer.member(named: key) { value.write(to: &$0) }
        }
      }
      writer.array("Errors") { writer in
        for name in unknownItems { Self.writeError(name, to: &writer) }
      }
      writer.member("FullReport", true)
    }
  }

  /// The report as JSON text.
  package var json: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }

  private static let own = [
    "management.declarations", "management.client-capabilities", "app.managed.list",
  ]

  private var unknownItems: [String] {
    delivery.subscriptions.filter { !Self.own.contains($0) && items[$0] == nil }.sorted()
  }

  private static func writeError(_ name: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("StatusItem", name)
      writer.array("Reasons") { writer in
        writer.object { writer in
          writer.member("Code", "Error.StatusItemNotAvailable")
          writer.member("Description", "the device has no such status item")
        }
      }
    }
  }

  private var statusItems: [String: StatusValue] {
    var values: [String: StatusValue] = [
      "management.declarations": declarations,
      "management.client-capabilities": capabilities,
    ]
    for name in delivery.subscriptions {
      if let value = items[name], values[name] == nil { values[name] = value }
    }
    if delivery.subscriptions.contains("app.managed.list") { values["app.managed.list"] = apps }
    var tree: [String: StatusValue] = [:]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      StatusItems.insert(value, at: name.split(separator: "."), into: &tree)
    }
    return tree
  }

  private var declarations: StatusValue {
    var values: [String: StatusValue] = [:]
    for kind in DeclarationKind.allCases {
      values[kind.rawValue] = .array(
        delivery.states.filter { $0.kind == kind }.map(Self.value(of:)))
    }
    return .dictionary(values)
  }

  private static func value(of state: DeclarationState) -> StatusValue {
    var values: [String: StatusValue] = [
      "identifier": .string(state.identifier), "server-token": .string(state.serverToken),
      "active": .boolean(state.isActive), "valid": .string(state.validity.rawValue),
    ]
    if !state.reasons.isEmpty { values["reasons"] = .array(state.reasons.map(value(of:))) }
    return .dictionary(values)
  }

  private static func value(of reason: StatusReason) -> StatusValue {
    var values: [String: StatusValue] = [
      "code": .string(reason.code.rawValue), "description": .string(reason.description),
    ]
    if !reason.details.isEmpty { values["details"] = .dictionary(reason.details) }
    return .dictionary(values)
  }

  private var apps: StatusValue {
    .array(
      delivery.apps.map { app in
        var values: [String: StatusValue] = [
          "identifier": .string(app.identifier),
          "declaration-identifier": .string(app.declaration),
          "state": .string(app.state.rawValue),
        ]
        if let configurations = configurations(of: app) { values["config-state"] = configurations }
        if app.state == .failed {
          let reason = StatusReason(
            .unmanagedAppAlreadyInstalled, "the user's copy of the app cannot be managed")
          values["reasons"] = .array([Self.value(of: reason)])
        }
        return .dictionary(values)
      })
  }

  /// The states of the app's configurations; nil where neither the app nor its extensions have one.
  private func configurations(of app: ManagedAppState) -> StatusValue? {
    var values: [String: StatusValue] = [:]
    if app.hasConfiguration { values["app-config-state"] = state(of: app.identifier) }
    if !app.configuredExtensions.isEmpty {
      values["extension-config-state"] = .dictionary(
        Dictionary(app.configuredExtensions.map { ($0, state(of: $0)) }) { first, _ in first })
    }
    return values.isEmpty ? nil : .dictionary(values)
  }

  private func state(of bundle: String) -> StatusValue {
    .dictionary(["state": .string((feedback[bundle] ?? .unknown).rawValue)])
  }

  private var capabilities: StatusValue {
    var types: [String: StatusValue] = [:]
    for kind in DeclarationKind.allCases {
      let names = DeclarationType.allCases.filter { $0.kind == kind }.map(\.rawValue)
      types[kind.rawValue] = .array(names.sorted().map(StatusValue.string))
    }
    let names = Set(items.values.keys).union(Self.own)
    return .dictionary([
      "supported-versions": .array([.string("1.0.0")]),
      "supported-features": .dictionary([:]),
      "supported-payloads": .dictionary([
        "declarations": .dictionary(types),
        "status-items": .array(names.sorted().map(StatusValue.string)),
      ]),
    ])
  }
}
