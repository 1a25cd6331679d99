/// The names under which the Intune App SDK registers the types that a managed account shares while its policy
/// restricts sending: `com.microsoft.intune.mam.public.image` for `public.image`.
public enum IntuneTypeAlias {
  package static let prefix = "com.microsoft.intune.mam."

  /// The twin of `type`, or `type` where it is a twin.
  package static func of(_ type: String) -> String { isTwin(type) ? type : prefix + type }

  /// Whether `type` has the prefix, in any case, and something after it.
  package static func isTwin(_ type: String) -> Bool { original(of: type) != nil }

  /// The type that `type` is the twin of; nil where it is none.
  public static func original(of type: String) -> String? {
    var rest = type.utf8[...]
    for byte in prefix.utf8 {
      guard let next = rest.popFirst(), lowercase(next) == byte else { return nil }
    }
    return rest.isEmpty ? nil : String(Substring(rest))
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
