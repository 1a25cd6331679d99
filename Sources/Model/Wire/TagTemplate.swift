public import Model

/// The part of an ownership tag that is the same for all items of one owner in one app, in the form of
/// the wire: fields 1 to 6 of `OwnershipTag`.
///
/// A seal covers these bytes too, so that everything that is sealed is also sent.
public struct TagTemplate: Sendable, Equatable {
  public let bytes: [UInt8]

  /// The part of `tag` without the sequence and the seal.
  public init(_ tag: OwnershipTag) {
    var bytes: [UInt8] = []
    let fields: [(UInt8, String)] = [
      (1, tag.ownerUPN), (2, tag.ownerObjectID), (3, tag.ownerTenantID),
    ]
    for (field, text) in fields { Self.append(field, text, to: &bytes) }
    if tag.isManaged { bytes += [4 << 3, 1] }
    Self.append(5, tag.originApp, to: &bytes)
    Self.append(6, tag.device, to: &bytes)
    self.bytes = bytes
  }

  private static func append(_ field: UInt8, _ text: String, to bytes: inout [UInt8]) {
    guard !text.isEmpty else { return }
    bytes.append(field << 3 | 2)
    var rest = text.utf8.count
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
    bytes += text.utf8
  }
}
