/// The restrictions of a device's profile that Sluice knows; nil where no payload states one, so
/// that Apple's default holds.
///
/// Source: Apple Device Management, Restrictions (`com.apple.applicationaccess`).
public struct Restrictions: Sendable, Equatable {
  /// `allowOpenFromManagedToUnmanaged`; Apple's default is true.
  public var allowOpenFromManagedToUnmanaged: Bool?
  /// `allowOpenFromUnmanagedToManaged`; Apple's default is true.
  public var allowOpenFromUnmanagedToManaged: Bool?
  /// `requireManagedPasteboard`; Apple's default is false.
  public var requireManagedPasteboard: Bool?
  /// `allowManagedToWriteUnmanagedContacts`; Apple's default is false.
  public var allowManagedToWriteUnmanagedContacts: Bool?
  /// `allowUnmanagedToReadManagedContacts`; Apple's default is false.
  public var allowUnmanagedToReadManagedContacts: Bool?
  /// `forceAirDropUnmanaged`; Apple's default is false.
  public var forceAirDropUnmanaged: Bool?
  /// `allowActivityContinuation`, of Handoff; Apple's default is true.
  public var allowActivityContinuation: Bool?

  /// A restriction's name in the payload, and the property that holds it.
  struct Key: Sendable {
    let name: String
    let path: any WritableKeyPath<Restrictions, Bool?> & Sendable
    /// The more restrictive value.
    let stricter: Bool
  }

  static let keys = [
    Key("allowOpenFromManagedToUnmanaged", \.allowOpenFromManagedToUnmanaged, stricter: false),
    Key("allowOpenFromUnmanagedToManaged", \.allowOpenFromUnmanagedToManaged, stricter: false),
    Key("requireManagedPasteboard", \.requireManagedPasteboard, stricter: true),
    Key(
      "allowManagedToWriteUnmanagedContacts", \.allowManagedToWriteUnmanagedContacts,
      stricter: false),
    Key(
      "allowUnmanagedToReadManagedContacts", \.allowUnmanagedToReadManagedContacts, stricter: false
    ),
    Key("forceAirDropUnmanaged", \.forceAirDropUnmanaged, stricter: true),
    Key("allowActivityContinuation", \.allowActivityContinuation, stricter: false),
  ]

  /// Creates restrictions of which none is stated.
  public init() {}

  /// The restrictions of a device that has both profiles: of two values the more restrictive one.
  ///
  /// Source: Apple Support, "Payload best practices for Apple devices": of
  /// conflicting restrictions on an iPhone or iPad the more restrictive one wins.
  public func combined(with other: Restrictions) -> Restrictions {
    var result = self
    for key in Self.keys {
      let values = [self[keyPath: key.path], other[keyPath: key.path]].compactMap(\.self)
      result[keyPath: key.path] = values.contains(key.stricter) ? key.stricter : values.first
    }
    return result
  }
}

extension Restrictions.Key {
  init(
    _ name: String, _ path: any WritableKeyPath<Restrictions, Bool?> & Sendable, stricter: Bool
  ) {
    self.name = name
    self.path = path
    self.stricter = stricter
  }
}
