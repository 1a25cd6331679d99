package import Bundle
package import Model

/// The effect of a set of declarations on a device: the content for each app and extension, and the state of each
/// declaration.
///
/// The delivery depends only on the declarations, the device's status items and its programs. The order of the
/// declarations does not matter.
package struct ManagedDelivery: Sendable, Equatable {
  /// The content for each app and extension, by identifier. A process gets the content if its code signature proves the
  /// identifier.
  package internal(set) var contents: [ComposedIdentifier: ManagedContent] = [:]
  /// The combined restrictions of all active profiles.
  package internal(set) var restrictions = Restrictions()
  /// The apps that the device may show and launch, according to the app settings of all declarations.
  package internal(set) var appAccess = AppAccess()
  /// The properties that management declarations set. If two declarations set the same property, the declaration with
  /// the alphabetically first identifier applies.
  package internal(set) var properties: [String: StatusValue] = [:]
  /// The status items to which the administrator has subscribed.
  package internal(set) var subscriptions: Set<String> = []
  /// The states of all declarations, ordered by kind and identifier.
  package internal(set) var states: [DeclarationState] = []
  /// The managed apps, ordered by bundle id.
  package internal(set) var apps: [ManagedAppState] = []
  /// The problems that occur on this device. Problems that occur on every device are in ``DeclarationSet``.
  package internal(set) var problems: [DeclarationDiagnostic] = []

  package init() {}

  package init(
    _ declarations: DeclarationSet, items: StatusItems, programs: [InstalledProgram]
  ) {
    var builder = DeliveryBuilder(declarations, items: items, programs: programs)
    self = builder.build()
  }

  /// Returns the content for a process.
  ///
  /// - Parameter identifier: The identifier that the code signature of the process proves.
  /// - Returns: nil if there is no content for the process.
  package subscript(identifier: ComposedIdentifier) -> ManagedContent? { contents[identifier] }

  /// Returns the changes since `old`, ordered by recipient.
  package func changes(from old: ManagedDelivery) -> [DeliveryChange] {
    Set(contents.keys).union(old.contents.keys).sorted().compactMap { recipient in
      let aspects = ManagedContent.aspects(from: old[recipient], to: self[recipient])
      return aspects.isEmpty ? nil : DeliveryChange(recipient: recipient, aspects: aspects)
    }
  }
}

/// The content delivered to an app or extension.
package struct ManagedContent: Sendable, Equatable {
  /// A value that the app requests by name.
  package struct Named<Value: Sendable & Equatable>: Sendable, Equatable {
    package var identifier: String
    package var value: Value
    /// The `ServerToken` of the asset that contains the value.
    package var revision: String
  }

  /// The identifier of the configuration that delivers the content.
  package var declaration: String
  /// The property list that ManagedApp gives to the app or extension as its configuration; nil if there is none.
  package var configuration: Redacted<[UInt8]>?
  /// The property list that an app reads under `com.apple.configuration.managed` in the user defaults; nil if there is
  /// none, and for extensions.
  package var legacyConfiguration: Redacted<[UInt8]>?
  /// The passwords. Like identities and certificates, they are in the administrator's order.
  package var passwords: [Named<PasswordCredential>] = []
  package var identities: [Named<IdentityCredential>] = []
  /// The certificates, in DER.
  package var certificates: [Named<[UInt8]>] = []
}

/// The apps that a device may show and launch, from the app settings of several declarations.
///
/// An app is allowed only if every declaration allows it, and denied if any declaration denies it.
package struct AppAccess: Sendable, Equatable {
  /// The app settings by declaration, ordered by the declaration's identifier.
  private var settings: [(declaration: String, settings: AppSettings)] = []

  init() {}

  mutating func add(_ settings: AppSettings, by declaration: String) {
    self.settings.append((declaration, settings))
  }

  /// The reason why an app may not be used on the device.
  package enum Ban: Sendable, Equatable, CustomStringConvertible {
    /// The app is on the list of denied apps of the declaration with this identifier.
    case denied(by: String)
    /// The declaration with this identifier lists the allowed apps, and the app is not among them.
    case notAllowed(by: String)

    /// The reason as a clause that refers to the app as `it`.
    package var description: String {
      switch self {
      case .denied(let declaration): "the declaration `\(declaration)` denies it (`DeniedApps`)"
      case .notAllowed(let declaration):
        "the declaration `\(declaration)` does not allow it (`AllowedApps`)"
      }
    }
  }

  /// Returns the reason why the app is banned; nil if it is allowed.
  package func ban(on bundle: String) -> Ban? {
    for (declaration, settings) in settings {
      if settings.denied.contains(bundle) { return .denied(by: declaration) }
      if settings.allowed?.contains(bundle) == false { return .notAllowed(by: declaration) }
    }
    return nil
  }

  package static func == (left: AppAccess, right: AppAccess) -> Bool {
    left.settings.elementsEqual(right.settings) { $0 == $1 }
  }
}

/// The identifier of an app or extension that receives content: its bundle id and the team that signed it.
package struct ComposedIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
  package var bundle: String
  package var team: String

  package init(bundle: String, team: String) {
    self.bundle = bundle
    self.team = team
  }

  /// Parses text of the form `com.contoso.mail.share (ABCDE12345)`; nil for other text.
  package init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].first == "(", parts[1].last == ")" else {
      return nil
    }
    let team = parts[1].dropFirst().dropLast()
    guard parts[0].allSatisfy({ Self.isPlain($0) || "-._".contains($0) }), !team.isEmpty,
      team.allSatisfy(Self.isPlain)
    else { return nil }
    self.init(bundle: String(parts[0]), team: String(team))
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }

  package var description: String { "\(bundle) (\(team))" }

  package static func < (left: ComposedIdentifier, right: ComposedIdentifier) -> Bool {
    (left.bundle, left.team) < (right.bundle, right.team)
  }
}

// MARK: - Changes

package struct DeliveryChange: Sendable, Hashable {
  /// A part of a recipient's content that changed.
  package enum Aspect: Sendable, Hashable {
    /// The configuration that the app reads through ManagedApp was set, changed or removed.
    case configuration
    /// The configuration that the app reads from the user defaults was set, changed or removed.
    case legacyConfiguration
    /// The names of the secrets of this kind, or their order, changed.
    case list(ManagedSecret)
    /// A secret's value changed. The secret with this identifier exists before and after the change.
    case value(ManagedSecret, identifier: String)
  }

  package var recipient: ComposedIdentifier
  /// The changed parts, at least one. Configurations come first, then secrets by kind.
  package var aspects: [Aspect]

  /// Returns whether the change affects secrets of this kind: their names, their order or a value. If so, observers of
  /// the kind are notified.
  package func concerns(_ kind: ManagedSecret) -> Bool {
    aspects.contains { aspect in
      switch aspect {
      case .list(let other), .value(let other, _): other == kind
      case .configuration, .legacyConfiguration: false
      }
    }
  }
}

extension DeliveryChange.Aspect: CustomStringConvertible {
  /// A short description without values: `configuration`, `passwords`, `identity device`.
  package var description: String {
    switch self {
    case .configuration: "configuration"
    case .legacyConfiguration: "legacy configuration"
    case .list(.password): "passwords"
    case .list(.identity): "identities"
    case .list(.certificate): "certificates"
    case .value(let kind, let identifier): "\(kind) \(identifier)"
    }
  }
}

extension ManagedContent {
  fileprivate static func aspects(
    from old: ManagedContent?, to new: ManagedContent?
  ) -> [DeliveryChange.Aspect] {
    var aspects: [DeliveryChange.Aspect] = []
    if old?.configuration != new?.configuration { aspects.append(.configuration) }
    if old?.legacyConfiguration != new?.legacyConfiguration { aspects.append(.legacyConfiguration) }
    aspects += secrets(.password, from: old?.passwords, to: new?.passwords) { $0.value == $1.value }
    // A new revision of an identity with a device-generated key means a new key.
    aspects += secrets(.identity, from: old?.identities, to: new?.identities) { old, new in
      if case .pkcs12 = new.value { return old.value == new.value }
      return old == new
    }
    aspects += secrets(.certificate, from: old?.certificates, to: new?.certificates) {
      $0.value == $1.value
    }
    return aspects
  }

  private static func secrets<Value>(
    _ kind: ManagedSecret, from old: [Named<Value>]?, to new: [Named<Value>]?,
    areEqual: (Named<Value>, Named<Value>) -> Bool
  ) -> [DeliveryChange.Aspect] {
    let (old, new) = (old ?? [], new ?? [])
    var aspects: [DeliveryChange.Aspect] = []
    if old.map(\.identifier) != new.map(\.identifier) { aspects.append(.list(kind)) }
    let before = Dictionary(
      old.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    for secret in new {
      guard let before = before[secret.identifier], !areEqual(before, secret) else { continue }
      aspects.append(.value(kind, identifier: secret.identifier))
    }
    return aspects
  }
}
