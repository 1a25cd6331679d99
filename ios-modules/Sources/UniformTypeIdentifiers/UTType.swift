internal import UniformTypes

/// A uniform type, as the simulated device knows it.
///
/// Types that are declared nowhere have no value here: where iOS would invent a dynamic type, there is nil.
public struct UTType: Sendable, Hashable, Codable {
  /// The identifier as it was written; types compare without regard to case.
  public let identifier: String

  /// The type of this identifier; nil where it is not declared.
  public init?(_ identifier: String) {
    guard
      TypeLibrary.system.isDeclared(identifier) || IntuneTypeAlias.original(of: identifier) != nil
    else { return nil }
    self.identifier = identifier
  }

  /// The type of files with this extension; nil where no such type is declared.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    self.init(
      found: TypeLibrary.system.type(
        forFilenameExtension: filenameExtension, conformingTo: supertype.identifier))
  }

  /// The type of data with this MIME type; nil where no such type is declared.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    self.init(
      found: TypeLibrary.system.type(
        forMIMEType: mimeType, conformingTo: supertype.identifier))
  }

  /// A type that this app exports. It conforms to itself alone, whatever `parentType` is.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.identifier = identifier
  }

  /// A type that this app imports. It conforms to itself alone, unless it is a system type.
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.identifier = identifier
  }

  private init?(found identifier: String?) {
    guard let identifier else { return nil }
    self.identifier = identifier
  }

  init(system identifier: String) { self.identifier = identifier }

  public static func == (left: UTType, right: UTType) -> Bool {
    left.identifier.lowercased() == right.identifier.lowercased()
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(identifier.lowercased()) }
}

extension UTType: CustomStringConvertible {
  public var description: String { identifier }
}

// MARK: conformance
extension UTType {
  /// Whether this is `type`, or conforms to it.
  public func conforms(to type: UTType) -> Bool {
    TypeLibrary.system.conforms(identifier, to: type.identifier)
  }

  /// Whether this conforms to `type`, and is another.
  public func isSubtype(of type: UTType) -> Bool { self != type && conforms(to: type) }

  /// Whether `type` conforms to this, and is another.
  public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

  /// All types that this conforms to, without itself.
  public var supertypes: Set<UTType> {
    Set(TypeLibrary.system.supertypes(of: identifier).map { UTType(system: $0) })
  }
}

// MARK: tags
extension UTType {
  /// The extension of files of this type, without the dot; nil where the declaration states none.
  public var preferredFilenameExtension: String? {
    TypeLibrary.system.filenameExtension(of: identifier)
  }

  /// The MIME type; nil where the declaration states none.
  public var preferredMIMEType: String? { TypeLibrary.system.mimeType(of: identifier) }

  /// Whether the system declares it.
  public var isDeclared: Bool { TypeLibrary.system.isDeclared(identifier) }

  /// Always false: no dynamic types are made.
  public var isDynamic: Bool { false }

  /// Whether it is of the public domain.
  public var isPublic: Bool { identifier.lowercased().hasPrefix("public.") }
}
