internal import Bundle
internal import Encodings
internal import Output
internal import Predicates

/// Checks the references between the declarations of a set, and whether the assets that they refer to can be used.
struct ReferenceResolver {
  /// The errors in the references of one declaration: for status reports, and for messages to the user.
  struct Resolution {
    var errors: [StatusReason] = []
    var problems: [DeclarationDiagnostic] = []
  }

  /// Apple's limit for the data of an app configuration: 1 MB, in bytes.
  private static let maximumConfiguration = 1_000_000

  private static let listTypes = [
    "application/plist", "application/x-plist", "application/xml", "text/xml",
  ]

  private let declarations: [String: CheckedDeclaration]
  private let unread: UnreadDeclarations
  private let graph: ReferenceGraph
  private let vocabularies: [DeclarationKind: Vocabulary]
  /// The number of characters compared so far to find suggestions for misspelled identifiers.
  private var comparisons = 0
  private let assets: [String: Asset]
  private let folder: DeclarationFolder

  init(
    declarations: [String: CheckedDeclaration], unread: UnreadDeclarations,
    assets: [String: Asset], folder: DeclarationFolder
  ) {
    self.declarations = declarations
    self.unread = unread
    self.assets = assets
    self.folder = folder
    graph = ReferenceGraph(declarations)
    vocabularies = Dictionary(grouping: declarations.values, by: \.declaration.kind)
      .mapValues { Vocabulary($0.map(\.declaration.identifier)) }
  }

  mutating func resolve(_ checked: CheckedDeclaration) -> Resolution {
    var resolution = Resolution()
    var missing: [String] = []
    for reference in checked.references {
      let problem = problem(of: reference, in: checked.declaration)
      guard let problem else {
        if reference.types != nil { checkUse(of: reference, by: checked, &resolution) }
        continue
      }
      if declarations[reference.identifier] == nil || reference.types == nil {
        missing.append(reference.identifier)
      } else {
        resolution.errors.append(
          StatusReason(.configurationIsInvalid, problem, ["Error": .string(problem)]))
      }
      // The error that makes the target unreadable is already reported.
      if declarations[reference.identifier] == nil, unread.mayHave(reference.identifier) {
        continue
      }
      report(problem, reference, checked, &resolution)
    }
    if !missing.isEmpty { resolution.errors.append(Self.reason(checked.declaration, missing)) }
    if case .profile(let source) = checked.meaning { checkProfile(source, checked, &resolution) }
    return resolution
  }

  private static func reason(_ declaration: Declaration, _ missing: [String]) -> StatusReason {
    let names = StatusValue.array(Set(missing).sorted().map(StatusValue.string))
    return declaration.kind == .activation
      ? StatusReason(
        .missingConfigurations, "the activation names configurations that do not exist",
        of: declaration, ["ConfigurationIdentifiers": names])
      : StatusReason(
        .missingAssets, "the configuration names assets that do not exist", of: declaration,
        ["AssetIdentifiers": names])
  }

  /// Returns a message about the error in a reference. Nil if the reference is correct: its target exists, has a
  /// permitted type and is not part of a cycle.
  private mutating func problem(
    of reference: PayloadChecker.Reference, in declaration: Declaration
  ) -> String? {
    let name = "`\(reference.path)` names `\(reference.identifier)`"
    guard let target = declarations[reference.identifier] else {
      let kind: DeclarationKind = reference.types == nil ? .configuration : .asset
      let nearest = nearest(to: reference.identifier, kind)
      return "\(name), which does not exist" + Suggestion.text(nearest)
    }
    switch graph.cycle(from: declaration.identifier, through: reference.identifier) {
    case .path(let path):
      return "\(name), which creates a cycle: " + path.map { "`\($0)`" }.joined(separator: " → ")
    case .long: return "\(name), which creates a cycle through many declarations"
    case nil: break
    }
    guard let types = reference.types else {
      let kind = target.declaration.kind
      return kind == .configuration ? nil : "\(name), which is \(kind.noun), not a configuration"
    }
    guard let type = target.declaration.type, types.contains(type) else {
      let allowed = types.map { "`\($0.rawValue)`" }.joined(separator: " or ")
      return "\(name), which is of the type `\(target.declaration.typeName)`, not \(allowed)"
    }
    return nil
  }

  private mutating func nearest(to identifier: String, _ kind: DeclarationKind) -> String? {
    vocabularies[kind]?.nearest(to: identifier, &comparisons)
  }

  // MARK: Uses of assets

  private func checkUse(
    of reference: PayloadChecker.Reference, by checked: CheckedDeclaration,
    _ resolution: inout Resolution
  ) {
    guard let asset = assets[reference.identifier] else {
      let message = "the asset `\(reference.identifier)` cannot be used"
      resolution.errors.append(
        StatusReason(.configurationCannotBeApplied, message, ["Error": .string(message)]))
      return
    }
    guard checked.declaration.type == .managedApp, let problem = Self.problem(of: asset) else {
      return
    }
    let message = "the asset `\(asset.identifier)` \(problem.text)"
    resolution.errors.append(
      StatusReason(.configurationIsInvalid, message, ["Error": .string(message)]))
    if let place = problem.place {
      resolution.problems.append(folder.problem(.error, message, asset.path, place))
    } else {
      report(message, reference, checked, &resolution)
    }
  }

  /// Returns the reason why an app cannot use the asset; nil if it can. The text continues a sentence whose subject is
  /// the asset.
  private static func problem(of asset: Asset) -> (text: String, place: Position?)? {
    switch asset.content {
    case .data(let data):
      guard let error = problem(of: asset, data.value) else { return nil }
      return ("is not an app configuration: " + error.text, error.place)
    case .password(let credential) where credential.password == nil:
      return ("has no `Password` for the app", nil)
    case .password, .identity, .certificate: return nil
    }
  }

  /// Returns the reason why the data is not a valid app configuration; nil if it is valid.
  private static func problem(
    of asset: Asset, _ bytes: [UInt8]
  ) -> (text: String, place: Position?)? {
    guard bytes.count <= maximumConfiguration else {
      return ("it has \(bytes.count) bytes; at most \(maximumConfiguration) are allowed", nil)
    }
    if let type = asset.contentType, !listTypes.contains(type) {
      let list = listTypes.map { "`\($0)`" }.joined(separator: ", ")
      return ("its `ContentType` is `\(type)`, expected one of \(list)", nil)
    }
    do throws(BundleError) {
      let list = try PropertyList(strictly: bytes, file: asset.path)
      if list.isBinary, let type = asset.contentType, type.hasSuffix("/xml") {
        return (
          "its `ContentType` is `\(type)`, but the data is a binary property list; convert it to XML",
          nil
        )
      }
      return nil
    } catch {
      let place = error.line.map { Position(line: $0, column: error.column ?? 1) }
      guard error.rule != .listRoot else {
        return ("its `<dict>` has no `<plist version=\"1.0\">` around it", place)
      }
      // The reader's other messages may quote the list, which can contain secrets.
      return ("it is not a property list with a dictionary at the top", place)
    }
  }

  // MARK: Profiles

  private func checkProfile(
    _ source: ProfileSource, _ checked: CheckedDeclaration, _ resolution: inout Resolution
  ) {
    guard resolution.errors.isEmpty else { return }
    let loader = ProfileLoader(folder: folder, assets: assets)
    let position =
      checked.declaration.payload["ProfileURL"]?.position ?? checked.declaration.position
    let file = folder.display(checked.declaration.file)
    switch loader.profile(source) {
    case .success(let profile):
      resolution.problems += profile.warnings.map { warning in
        DeclarationDiagnostic(
          severity: warning.contains(": note: ") ? .note : .warning, file: file, position: position,
          message: Self.text(of: warning, in: folder.isOneFile ? file : nil))
      }
    case .failure(let error):
      resolution.errors.append(
        StatusReason(
          .configurationCannotBeApplied, "the profile cannot be used: " + error.message,
          ["Error": .string(error.message)]))
      resolution.problems.append(
        DeclarationDiagnostic(
          severity: .error, file: file, position: position,
          message: "the profile cannot be used: " + error.message))
    }
  }

  /// Returns the text of a profile's warning, without its severity and rule.
  ///
  /// - Parameter file: The profile's path to remove from the text, because the new message already begins with it; nil
  ///   to remove nothing.
  private static func text(of warning: String, in file: String?) -> String {
    var text = [": warning: ", ": note: "].reduce(warning) {
      $0.replacing($1, with: ": ", maxReplacements: 1)
    }
    if let file, text.hasPrefix(file) {
      text = String(text.dropFirst(file.count).drop { $0 == ":" || $0 == " " })
      let line = text.prefix(while: \.isWholeNumber)
      if !line.isEmpty { text = "line \(text)" }
    }
    return text.hasSuffix(" [bundle]") ? String(text.dropLast(9)) : text
  }

  private func report(
    _ message: String, _ reference: PayloadChecker.Reference, _ checked: CheckedDeclaration,
    _ resolution: inout Resolution
  ) {
    resolution.problems.append(
      folder.problem(.error, message, checked.declaration.file, reference.position))
  }
}

// MARK: - Graph

/// The graph of references between declarations, for finding cycles.
struct ReferenceGraph {
  enum Cycle: Equatable {
    case path([String])
    /// A cycle with too many references to list.
    case long
  }

  private let names: [String]
  private let numbers: [String: Int]
  /// For each declaration, the indexes into ``names`` of the declarations it refers to.
  private let targets: [[Int]]
  /// For each declaration, a number that identifies its strongly connected component.
  private let groups: [Int]

  /// The maximum number of references to follow when listing a cycle.
  private static let maximumSteps = 32

  init(_ declarations: [String: CheckedDeclaration]) {
    let names = declarations.keys.sorted()
    let numbers = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    self.names = names
    self.numbers = numbers
    targets = names.map { name in
      Set((declarations[name]?.references ?? []).compactMap { numbers[$0.identifier] }).sorted()
    }
    var search = GroupSearch(targets: targets)
    groups = search.groups()
  }

  /// Returns the cycle that leads from `start` to `first` and back to `start`; nil if there is none. `start` must refer
  /// to `first`.
  func cycle(from start: String, through first: String) -> Cycle? {
    guard let end = numbers[start], let next = numbers[first], groups[end] == groups[next] else {
      return nil
    }
    var origins = [next: end]
    var open = [next]
    var steps = 0
    var index = 0
    while index < open.count, origins[end] == nil {
      for target in targets[open[index]] where origins[target] == nil {
        guard groups[target] == groups[end] else { continue }
        steps += 1
        guard steps <= Self.maximumSteps else { return .long }
        origins[target] = open[index]
        open.append(target)
      }
      index += 1
    }
    var path = [end]
    var last = next == end ? nil : origins[end]
    while let step = last, step != end {
      path.append(step)
      last = step == next ? end : origins[step]
    }
    path.append(end)
    return .path(path.reversed().map { names[$0] })
  }
}

/// Finds strongly connected components in one pass (Tarjan 1972). The search is iterative, because chains may be long.
private struct GroupSearch {
  private let targets: [[Int]]
  private var order: [Int?]
  private var lowest: [Int]
  private var group: [Int?]
  private var stack: [Int] = []
  private var count = 0

  init(targets: [[Int]]) {
    self.targets = targets
    order = Array(repeating: nil, count: targets.count)
    lowest = Array(repeating: 0, count: targets.count)
    group = Array(repeating: nil, count: targets.count)
  }

  /// Returns the component of each node, by node index.
  mutating func groups() -> [Int] {
    for node in targets.indices where order[node] == nil { visit(node) }
    return group.map { $0 ?? 0 }
  }

  private mutating func visit(_ root: Int) {
    var open: [(node: Int, next: Int)] = []
    enter(root, &open)
    while let last = open.last {
      if last.next < targets[last.node].count {
        open[open.count - 1].next += 1
        let target = targets[last.node][last.next]
        if let place = order[target] {
          if group[target] == nil { lowest[last.node] = min(lowest[last.node], place) }
        } else {
          enter(target, &open)
        }
      } else {
        open.removeLast()
        if let parent = open.last?.node { lowest[parent] = min(lowest[parent], lowest[last.node]) }
        close(last.node)
      }
    }
  }

  private mutating func enter(_ node: Int, _ open: inout [(node: Int, next: Int)]) {
    order[node] = count
    lowest[node] = count
    count += 1
    stack.append(node)
    open.append((node, 0))
  }

  /// If no node that was visited before `node` is reachable from `node`, completes the component of `node`. The
  /// component consists of `node` and the nodes above it on the stack.
  private mutating func close(_ node: Int) {
    guard lowest[node] == order[node] else { return }
    while let member = stack.popLast() {
      group[member] = node
      if member == node { return }
    }
  }
}
