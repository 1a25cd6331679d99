public import Encodings
public import SwiftSources
internal import SwiftSyntax

/// The places in code that handle calls of the SDK: methods of delegates, and names of notifications and status codes.
///
/// `sluice run --code` compares them with the calls that the SDK made.
public struct HandledCalls: Sendable {
  private var places: [Place] = []

  /// A place in code that handles a delegate method, notification or status of the SDK.
  public struct Place: Sendable, Equatable {
    /// The method's or notification's Swift name, or the name of a status.
    public let declaration: String
    public let file: String
    public let position: Position
  }

  /// Finds the locations in files that are compiled together.
  public init(in sources: [ParsedSource], _ table: APITable = .builtIn) {
    let types = IntegratedTypes(sources)
    for source in sources where types.concerns(source) {
      add(SourceContext(source, types: types, table: table, sdk: .pinned(table.newest)))
    }
  }

  /// The locations, sorted by file and position.
  public var all: [Place] {
    places.sorted {
      ($0.file, $0.position.line, $0.position.column)
        < ($1.file, $1.position.line, $1.position.column)
    }
  }

  private mutating func add(_ context: SourceContext) {
    let statuses = StatusNames(context)
    for function in context.all(FunctionDeclSyntax.self) {
      let name = MethodName(function).description
      let delegates = context.delegates(of: function)
      if delegates.contains(where: { !context.table.methods(name, of: $0).isEmpty }) {
        add(name, at: function.name, context)
      }
    }
    for reference in context.all(DeclReferenceExprSyntax.self) {
      if let name = Self.notification(reference.baseName.identifierText) {
        add(name, at: reference, context)
      }
    }
    for member in context.all(MemberAccessExprSyntax.self) {
      if let name = statuses.name(of: member) { add(name, at: member, context) }
    }
    for (literal, name) in StatusCodeCheck.statuses(in: context) { add(name, at: literal, context) }
  }

  private mutating func add(
    _ declaration: String, at node: some SyntaxProtocol, _ context: SourceContext
  ) {
    places.append(
      Place(
        declaration: declaration, file: context.source.file,
        position: context.source.position(of: node)))
  }

  /// Returns the Swift name of a notification, given its Swift or Objective-C name. Returns nil for any other name.
  private static func notification(_ name: String) -> String? {
    let suffix = "Notification"
    let name = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    guard name.hasPrefix("IntuneMAM"), name.hasSuffix("DidChange") || name.hasSuffix("DidComplete")
    else { return nil }
    return name
  }

  /// Writes the locations as an array of objects.
  public func writeJSON(to writer: inout JSONWriter) {
    writer.array { writer in
      for place in all {
        writer.object { writer in
          writer.member("declaration", place.declaration)
          writer.member("file", place.file)
          writer.member("line", place.position.line)
        }
      }
    }
  }
}

/// The uses of status names in a file. Most of these names are ordinary words. The surrounding code therefore decides
/// whether a word means a status.
private struct StatusNames {
  private static let enumerations = ["IntuneMAMEnrollmentStatusCode", "IntuneMAMComplianceStatus"]

  private let containers: [String: String]

  init(_ context: SourceContext) {
    let cases = Self.enumerations.flatMap { container in
      context.table.members(of: container).map { ($0.name, container) }
    }
    containers = Dictionary(cases) { first, _ in first }
  }

  /// Returns the status that an expression names; nil if it names none.
  func name(of member: MemberAccessExprSyntax) -> String? {
    let name = member.declName.baseName.identifierText
    guard let container = containers[name] else { return nil }
    if let base = member.base {
      let last = base.trimmedDescription.split(separator: ".").last.map(String.init)
      return last == container ? name : nil
    }
    return isComparedWithStatus(member) ? name : nil
  }

  /// Returns whether a member without a base, such as `.timeout`, is compared with a value whose name contains
  /// `status`.
  private func isComparedWithStatus(_ member: MemberAccessExprSyntax) -> Bool {
    if let pattern = member.parent?.as(ExpressionPatternSyntax.self) {
      return Self.isStatus(pattern.nearest(SwitchExprSyntax.self)?.subject)
        || Self.isStatus(pattern.parent?.as(MatchingPatternConditionSyntax.self)?.initializer.value)
    }
    guard let operands = member.parent?.as(ExprListSyntax.self) else { return false }
    return operands.contains { $0.id != ExprSyntax(member).id && Self.isStatus($0) }
  }

  private static func isStatus(_ expression: ExprSyntax?) -> Bool {
    expression?.trimmedDescription.lowercased().contains("status") ?? false
  }
}
