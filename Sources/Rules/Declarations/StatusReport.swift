package import Encodings
internal import Predicates

/// A device's report on its declarations.
///
/// Source: github.com/apple/device-management, `declarative/protocol/statusreport.yaml`.
package struct StatusReport: Sendable {
  private let delivery: ManagedDelivery
  private let items: StatusItems
  private let feedback: [String: DeclarationState.Validity]

  /// Creates a report.
  ///
  /// - Parameter feedback: The results that apps and extensions reported, by bundle id. An app without a result
  ///   has not yet read its configuration.
  package init(
    _ delivery: ManagedDelivery, items: StatusItems,
    feedback: [String: DeclarationState.Validity] = [:]
  ) {
    self.delivery = delivery
    self.items = items
    self.feedback = feedback
  }

  /// Writes the full report: the states of declarations, the device's capabilities and the subscribed status items.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.object("StatusItems") { $0.members(of: statusItems) { $1.write(to: &$0) } }
      writer.array("Errors", of: unknownItems) { Self.writeError($1, to: &$0) }
      writer.member("FullReport", true)
    }
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

  /// Returns the states of the configurations of the app and its extensions; nil if none has a configuration.
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

// MARK: - States

/// The state of a declaration in a status report.
package struct DeclarationState: Sendable, Hashable {
  /// The result of checking a declaration, on the device or in the app that receives the declaration.
  package enum Validity: String, Sendable, Hashable {
    case valid, invalid
    /// Not checked yet: the device has not needed the declaration, or the app has not read it.
    case unknown
  }

  package var identifier: String
  package var serverToken: String
  package var kind: DeclarationKind
  package var isActive: Bool
  package var validity: Validity
  package var reasons: [StatusReason]

  /// Creates the initial state of a declaration, which is inactive.
  init(_ checked: CheckedDeclaration) {
    identifier = checked.declaration.identifier
    serverToken = checked.declaration.serverToken
    kind = checked.declaration.kind
    isActive = false
    validity = checked.isValid ? .valid : .invalid
    reasons = checked.errors + checked.notes
  }

  static func precedes(_ left: DeclarationState, _ right: DeclarationState) -> Bool {
    left.kind == right.kind
      ? left.identifier < right.identifier : left.kind.rawValue < right.kind.rawValue
  }
}

/// The state of a managed app in a status report.
///
/// Source: github.com/apple/device-management, `declarative/status/app.managed.list.yaml`.
package struct ManagedAppState: Sendable, Hashable {
  package enum State: String, Sendable, Hashable {
    case managed
    /// The app is not installed, and Sluice does not install apps. Once the app is installed, it is managed.
    case notPresent = "not-present"
    /// The app cannot be managed, because the user installed it.
    case failed
  }

  /// The app's bundle id.
  package var identifier: String
  /// The identifier of the configuration that manages the app.
  package var declaration: String
  package var state: State
  /// Whether the app itself, in contrast to its extensions, has a managed configuration.
  var hasConfiguration = false
  /// The bundle ids of the app's extensions that have a managed configuration.
  var configuredExtensions: [String] = []

  init(_ identifier: String, _ declaration: String, _ state: State) {
    self.identifier = identifier
    self.declaration = declaration
    self.state = state
  }
}

// MARK: - Reasons

/// A reason for a declaration's state in a status report.
///
/// Source: github.com/apple/device-management, `declarative/declarations/declarationbase.yaml`.
package struct StatusReason: Sendable, Hashable {
  package enum Code: String, Sendable, Hashable {
    case activationFailed = "Error.ActivationFailed"
    case assetCannotBeDownloaded = "Error.AssetCannotBeDownloaded"
    case assetCannotBeVerified = "Error.AssetCannotBeVerified"
    case assetCannotBeDeserialized = "Error.AssetCannotBeDeserialized"
    case configurationCannotBeApplied = "Error.ConfigurationCannotBeApplied"
    case configurationIsInvalid = "Error.ConfigurationIsInvalid"
    case duplicateConfiguredApp = "Error.DuplicateConfiguredApp"
    case invalidPayload = "Error.InvalidPayload"
    case missingAssets = "Error.MissingAssets"
    case missingConfigurations = "Error.MissingConfigurations"
    case unableToEvaluatePredicate = "Error.UnableToEvaluatePredicate"
    case unableToParsePredicate = "Error.UnableToParsePredicate"
    case unknownDeclarationType = "Error.UnknownDeclarationType"
    case unknownPayloadKeys = "Error.UnknownPayloadKeys"
    case unmanagedAppAlreadyInstalled = "Error.UnmanagedAppAlreadyInstalled"
    case notReferencedByActivation = "Info.NotReferencedByActivation"
    case notReferencedByConfiguration = "Info.NotReferencedByConfiguration"
    case predicate = "Info.Predicate"
    /// The result of `com.apple.configuration.management.test`. Apple documents no code for it.
    case test = "Info.Test"
  }

  package var code: Code
  /// A sentence that explains the reason. It never quotes values of configurations or secrets.
  package var description: String
  package var details: [String: StatusValue]

  package init(
    _ code: Code, _ description: String, _ details: [String: StatusValue] = [:]
  ) {
    self.code = code
    self.description = description
    self.details = details
  }

  /// Creates a reason about a declaration. The declaration's identifier and token are added to `details`.
  init(
    _ code: Code, _ description: String, of declaration: Declaration,
    _ details: [String: StatusValue] = [:]
  ) {
    let own: [String: StatusValue] = [
      "Identifier": .string(declaration.identifier),
      "ServerToken": .string(declaration.serverToken),
    ]
    self.init(code, description, own.merging(details) { _, given in given })
  }
}
