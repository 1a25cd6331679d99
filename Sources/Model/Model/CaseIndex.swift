// Every verdict is explained with tables by setting, rule and side. By default, these enumerations are hashed by their
// raw values, which are long texts. Because their cases have no associated values, the compiler stores a case as its
// position, which is faster to look up and to hash.

extension Setting {
  /// The position in ``allCases``.
  package var index: Int { Int(unsafeBitCast(self, to: UInt8.self)) }

  public func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

extension Rule {
  /// The position in ``allCases``.
  package var index: Int { Int(unsafeBitCast(self, to: UInt16.self)) }

  public func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

extension Side {
  /// The position in ``allCases``.
  package var index: Int { Int(unsafeBitCast(self, to: UInt8.self)) }

  public func hash(into hasher: inout Hasher) { hasher.combine(index) }
}
