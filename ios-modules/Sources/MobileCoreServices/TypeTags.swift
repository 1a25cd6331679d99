internal import UniformTypeIdentifiers

/// The tag class of filename extensions. The only other tag class, ``kUTTagClassMIMEType``, is that
/// of MIME types.
public let kUTTagClassFilenameExtension: CFString = "public.filename-extension"
public let kUTTagClassMIMEType: CFString = "public.mime-type"

/// The result type of `UTTypeCreatePreferredIdentifierForTag` and
/// `UTTypeCopyPreferredTagWithClass`. It replaces `Unmanaged<CFString>`, because `CFString` is a
/// typealias of `String`.
public struct UnmanagedCFString: Sendable {
  private let string: CFString

  init(_ string: CFString) { self.string = string }

  public func takeRetainedValue() -> CFString { string }
  public func takeUnretainedValue() -> CFString { string }
}

/// Returns the identifier of the type with this tag; nil if no type is declared for it.
///
/// - Parameter conformingTo: A type to which the result must conform; nil for `public.data`.
public func UTTypeCreatePreferredIdentifierForTag(
  _ tagClass: CFString, _ tag: CFString, _ conformingTo: CFString?
) -> UnmanagedCFString? {
  let supertype = conformingTo.map { UTType(importedAs: $0) } ?? .data
  let type: UTType? =
    switch tagClass {
    case kUTTagClassFilenameExtension: UTType(filenameExtension: tag, conformingTo: supertype)
    case kUTTagClassMIMEType: UTType(mimeType: tag, conformingTo: supertype)
    default: nil  // open: any string
    }
  return type.map { UnmanagedCFString($0.identifier) }
}

/// Returns an array whose only element is the identifier of the type with this tag; nil if no type
/// is declared for the tag.
///
/// - Parameter conformingTo: A type to which the result must conform; nil for `public.data`.
public func UTTypeCreateAllIdentifiersForTag(
  _ tagClass: CFString, _ tag: CFString, _ conformingTo: CFString?
) -> [CFString]? {
  UTTypeCreatePreferredIdentifierForTag(tagClass, tag, conformingTo)
    .map { [$0.takeRetainedValue()] }
}

/// Returns the type's preferred filename extension or MIME type; nil if it has none.
public func UTTypeCopyPreferredTagWithClass(
  _ type: CFString, _ tagClass: CFString
) -> UnmanagedCFString? {
  let type = UTType(importedAs: type)
  let tag =
    switch tagClass {
    case kUTTagClassFilenameExtension: type.preferredFilenameExtension
    case kUTTagClassMIMEType: type.preferredMIMEType
    default: String?.none  // open: any string
    }
  return tag.map(UnmanagedCFString.init)
}
