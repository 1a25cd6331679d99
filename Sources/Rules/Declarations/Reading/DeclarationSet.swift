internal import Bundle
internal import Diagnostics
internal import JSON
internal import Predicates

/// The declarations of a folder, read and checked as far as that needs no device.
///
/// The result depends on the set of declarations and the data of their assets alone, not on the
/// order of files or of declarations in them.
package struct DeclarationSet: Sendable {
  /// All declarations in the order of identifiers, those that are not valid or of unknown types among them.
  package var declarations: [Declaration] { checked.map(\.declaration) }
  /// The faults and oddities, in the order of files and lines.
  package private(set) var problems: [DeclarationProblem] = []
  /// The assets whose data was found and read, by identifier.
  package private(set) var assets: [String: Asset] = [:]
  /// The checked declarations in the order of identifiers.
  private(set) var checked: [CheckedDeclaration] = []
  let folder: DeclarationFolder
  /// The texts in which predicates were read, by path, while declarations are checked.
  private var texts: [String: JSONText] = [:]
  /// The number of letters that were compared for suggestions.
  private var comparisons = 0

  /// Creates a set without declarations.
  package init() { self.init(DeclarationFolder(name: "", files: [:])) }

  /// Reads and checks the declarations of `folder`.
  package init(_ folder: DeclarationFolder) {
    self.folder = folder
    let reader = DeclarationReader(folder)
    problems = reader.problems
    checked = reader.declarations.map { check($0) }
    texts = [:]
    resolveReferences(reader.unread)
    if folder.isOneFile {
      // Nobody has written the declarations around it.
      for index in problems.indices { problems[index].position = nil }
    }
    problems.sort(by: DeclarationProblem.precedes)
  }

  // MARK: one declaration

  private mutating func check(_ declaration: Declaration) -> CheckedDeclaration {
    var result = CheckedDeclaration(declaration: declaration)
    guard let type = declaration.type else {
      reportUnknown(declaration)
      result.faults.append(
        StatusReason(
          .unknownDeclarationType, "the type of the declaration is not known",
          ["UnknownDeclarationType": .string(declaration.typeName)]))
      return result
    }
    var checker = PayloadChecker()
    checker.check(
      declaration.payload, against: PayloadSchema.keys(of: type),
      isOpen: PayloadSchema.isOpen(type))
    if checker.errors.isEmpty {
      result.meaning = meaning(of: declaration, type, &checker, &result.faults)
    }
    report(checker, declaration)
    result.references = checker.references
    if !checker.errors.isEmpty, result.faults.isEmpty {
      result.faults.append(
        StatusReason(
          .invalidPayload, "the payload is not valid: " + checker.errors[0].message,
          of: declaration))
    }
    if !checker.unknownKeys.isEmpty {
      result.notes.append(
        StatusReason(
          .unknownPayloadKeys, "the payload has keys that are not known",
          ["UnknownPayloadKeys": .array(checker.unknownKeys.map(StatusValue.string))]))
    }
    if type.kind == .asset, result.isValid { readAsset(declaration, &result) }
    return result
  }

  private mutating func reportUnknown(_ declaration: Declaration) {
    let name = declaration.typeName
    let position = declaration.payload.position
    if DeclarationType.published.contains(name) {
      return warn("`\(name)` is not simulated; a device has it", declaration, position)
    }
    let nearest = Self.types.nearest(to: name, &comparisons)
    fail(
      "unknown declaration type `\(name)`" + Suggestion.text(nearest),
      declaration, declaration.position)
  }

  private static let types = Vocabulary(
    DeclarationType.allCases.map(\.rawValue) + DeclarationType.published)

  private mutating func meaning(
    of declaration: Declaration, _ type: DeclarationType, _ checker: inout PayloadChecker,
    _ faults: inout [StatusReason]
  ) -> CheckedDeclaration.Meaning {
    let payload = declaration.payload
    switch type {
    case .activation: return activation(declaration, &faults)
    case .managedApp:
      return ManagedAppReader.settings(of: payload, &checker).map { .managedApp($0) } ?? .none
    case .appSettings: return AppSettings(payload, &checker).map { .appSettings($0) } ?? .none
    case .legacyProfile:
      switch (payload["ProfileURL"]?.string, payload["ProfileAssetReference"]?.string) {
      case (let url?, nil): return .profile(.url(url))
      case (nil, let asset?): return .profile(.asset(asset))
      case (nil, nil):
        checker.fail(payload.position, "`ProfileURL` is missing")
      case (_?, _?):
        checker.fail(
          payload.position, "only one of `ProfileURL` and `ProfileAssetReference` may be there")
      }
      return .none
    case .statusSubscriptions: return .subscriptions(subscriptions(of: payload, &checker))
    case .test:
      return .test(
        TestSettings(
          echo: payload["Echo"]?.string ?? "",
          echoAsset: payload["EchoDataAssetReference"]?.string,
          outcome: payload["ReturnStatus"]?.string.flatMap(TestSettings.Outcome.init)
            ?? .installed))
    case .properties:
      guard case .dictionary(let values) = StatusValue(payload) else { return .none }
      return .properties(values)
    case .dataAsset, .passwordAsset, .identityAsset, .scepAsset, .acmeAsset, .certificateAsset,
      .organization, .serverCapabilities:
      return .none
    }
  }

  private mutating func subscriptions(
    of payload: JSONValue, _ checker: inout PayloadChecker
  ) -> [String] {
    (payload["StatusItems"]?.array ?? []).compactMap { item in
      guard let name = item["Name"], let text = name.string else { return nil }
      if !StatusItems.isPublished(text) {
        checker.warn(name.position, unknownItem(text))
      }
      return text
    }
  }

  private static let items = Vocabulary(StatusItems.published)

  private mutating func unknownItem(_ name: String) -> String {
    let nearest = Self.items.nearest(to: name, &comparisons)
    return "unknown status item `\(name)`" + Suggestion.text(nearest)
  }

  private mutating func activation(
    _ declaration: Declaration, _ faults: inout [StatusReason]
  ) -> CheckedDeclaration.Meaning {
    let payload = declaration.payload
    let configurations = (payload["StandardConfigurations"]?.array ?? []).compactMap(\.string)
    guard let predicate = payload["Predicate"], let source = predicate.string else {
      return .activation(configurations: configurations, condition: nil)
    }
    do throws(ConditionError) {
      let condition = try ActivationCondition(parsing: source)
      let unknown = condition.statusItems.filter { !StatusItems.isPublished($0.name) }
      guard !unknown.isEmpty else {
        return .activation(configurations: configurations, condition: condition)
      }
      var place = JSONStringPlace(of: predicate.position, in: text(of: declaration.file))
      for item in unknown {
        warn(unknownItem(item.name), declaration, place.position(of: item.offset))
      }
      return .activation(configurations: configurations, condition: condition)
    } catch {
      var place = JSONStringPlace(of: predicate.position, in: text(of: declaration.file))
      fail("in `Predicate`: " + error.message, declaration, place.position(of: error.offset))
      faults.append(
        StatusReason(
          .unableToParsePredicate, "the predicate cannot be read: " + error.message,
          of: declaration, ["Predicate": .string(source)]))
      return .none
    }
  }

  private mutating func text(of path: String) -> JSONText {
    if let text = texts[path] { return text }
    let text = JSONText(folder.files[path] ?? [])
    texts[path] = text
    return text
  }

  private mutating func readAsset(
    _ declaration: Declaration, _ result: inout CheckedDeclaration
  ) {
    var warnings: [PayloadChecker.Note] = []
    do throws(AssetFault) {
      let asset = try AssetReader(folder: folder).asset(of: declaration, &warnings)
      assets[declaration.identifier] = asset
      for warning in warnings {
        problems.append(
          DeclarationProblem(
            severity: .warning, file: folder.display(asset.path), position: warning.position,
            message: "the data of the asset `\(asset.identifier)`: " + warning.message))
      }
    } catch {
      report(error, declaration)
      let code: StatusReason.Code =
        switch error.code {
        case .cannotBeDownloaded: .assetCannotBeDownloaded
        case .cannotBeVerified: .assetCannotBeVerified
        case .cannotBeDeserialized: .assetCannotBeDeserialized
        }
      result.faults.append(
        StatusReason(
          code, "the asset cannot be used: " + error.message, ["Error": .string(error.message)]))
    }
  }

  private mutating func report(_ fault: AssetFault, _ declaration: Declaration) {
    let url = declaration.payload["Reference"]?["DataURL"]
    if let place = fault.place, let text = url?.string,
      let location = try? AssetLocation(text, root: folder.root)
    {
      problems.append(
        DeclarationProblem(
          severity: .error, file: folder.display(location.path), position: place,
          message: "the data of the asset `\(declaration.identifier)`: " + fault.message))
    } else {
      fail(
        "the asset `\(declaration.identifier)`: " + fault.message, declaration,
        url?.position ?? declaration.position)
    }
  }

  private mutating func report(_ checker: PayloadChecker, _ declaration: Declaration) {
    for error in checker.errors + checker.lost { fail(error.message, declaration, error.position) }
    for warning in checker.warnings { warn(warning.message, declaration, warning.position) }
  }

  // MARK: among declarations

  private mutating func resolveReferences(_ unread: UnreadDeclarations) {
    let byIdentifier = Dictionary(
      checked.map { ($0.declaration.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    var resolver = ReferenceResolver(
      declarations: byIdentifier, unread: unread, assets: assets, folder: folder)
    for index in checked.indices where checked[index].isValid {
      let resolution = resolver.resolve(checked[index])
      checked[index].faults += resolution.faults
      problems += resolution.problems
    }
  }

  mutating func fail(_ message: String, _ declaration: Declaration, _ position: Position) {
    problems.append(
      DeclarationProblem(
        severity: .error, file: folder.display(declaration.file), position: position,
        message: message))
  }

  private mutating func warn(
    _ message: String, _ declaration: Declaration, _ position: Position
  ) {
    problems.append(
      DeclarationProblem(
        severity: .warning, file: folder.display(declaration.file), position: position,
        message: message))
  }
}
