internal import Model

/// An account in the form of protected bytes: UPN, object id and tenant, each a length of two bytes and UTF-8.
enum OwnerBytes {
  /// The length that stands for nil.
  private static let absent: UInt16 = 0xFFFF

  /// Encodes an account whose strings have at most 65,534 bytes each.
  static func encode(_ owner: Account) -> [UInt8] {
    var bytes: [UInt8] = []
    for string in [owner.upn, owner.objectID, owner.tenantID] {
      let utf8 = string.map { Array($0.utf8) }
      precondition(utf8?.count ?? 0 < absent, "an account's names have at most 65,534 bytes")
      bytes.append(littleEndian: utf8.map { UInt16($0.count) } ?? absent)
      bytes += utf8 ?? []
    }
    return bytes
  }

  /// Takes an account from the front of `reader`.
  static func decode(_ reader: inout ByteReader) throws(FileProtectionError) -> Account {
    guard let upn = try string(&reader) else { throw reader.failure(.altered) }
    let objectID = try string(&reader)
    return Account(upn: upn, objectID: objectID, tenantID: try string(&reader))
  }

  private static func string(_ reader: inout ByteReader) throws(FileProtectionError) -> String? {
    let count: UInt16 = try reader.integer()
    guard count != absent else { return nil }
    guard let string = String(validating: try reader.bytes(Int(count)), as: UTF8.self) else {
      throw reader.failure(.altered)
    }
    return string
  }
}
