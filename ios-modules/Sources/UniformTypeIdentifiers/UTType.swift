internal import UniformTypes

/// A uniform type on the simulated device.
///
/// There are no dynamic types. For an undeclared type, the failable initializers return nil. On iOS, the initializers
/// with a filename extension or MIME type create a dynamic type instead.
public struct UTType: Sendable, Hashable, Codable {
  /// The identifier as written. Comparisons ignore case.
  public let identifier: String

  /// Creates the type with this identifier. If the system does not declare the type, returns nil, unless the identifier
  /// has the Intune App SDK's prefix.
  public init?(_ identifier: String) {
    guard
      TypeLibrary.system.isDeclared(identifier) || IntuneTypeAlias.original(of: identifier) != nil
    else { return nil }
    self.identifier = identifier
  }

  /// Creates the type of files with this extension. Returns nil if no type is declared for it.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    self.init(
      found: TypeLibrary.system.type(
        forFilenameExtension: filenameExtension, conformingTo: supertype.identifier))
  }

  /// Creates the type of data with this MIME type. Returns nil if no type is declared for it.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    self.init(
      found: TypeLibrary.system.type(
        forMIMEType: mimeType, conformingTo: supertype.identifier))
  }

  /// Creates a type that this app exports. It conforms only to itself, unless it is a system type. `parentType` is
  /// ignored.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.identifier = identifier
  }

  /// Creates a type that this app imports. It conforms only to itself, unless it is a system type. `parentType` is
  /// ignored.
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

// MARK: Conformance
extension UTType {
  /// Returns whether this type equals `type` or conforms to it.
  public func conforms(to type: UTType) -> Bool {
    TypeLibrary.system.conforms(identifier, to: type.identifier)
  }

  /// Returns whether this type conforms to `type` and differs from it.
  public func isSubtype(of type: UTType) -> Bool { self != type && conforms(to: type) }

  /// Returns whether `type` conforms to this type and differs from it.
  public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

  /// All types to which this type conforms, except itself.
  public var supertypes: Set<UTType> {
    Set(TypeLibrary.system.supertypes(of: identifier).map { UTType(system: $0) })
  }
}

// MARK: Tags
extension UTType {
  /// The preferred filename extension, without the dot; nil if none is declared.
  public var preferredFilenameExtension: String? {
    TypeLibrary.system.filenameExtension(of: identifier)
  }

  /// The preferred MIME type; nil if none is declared.
  public var preferredMIMEType: String? { TypeLibrary.system.mimeType(of: identifier) }

  /// Whether the system declares this type.
  public var isDeclared: Bool { TypeLibrary.system.isDeclared(identifier) }

  /// Whether the type is dynamic. Always false, because there are no dynamic types.
  public var isDynamic: Bool { false }

  /// Whether the type's identifier begins with `public.`.
  public var isPublic: Bool { identifier.lowercased().hasPrefix("public.") }
}
