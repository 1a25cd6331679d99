// Every verdict is explained with tables by setting, rule and side. Synthesized hashes of these enumerations would hash
// their raw values, which are long texts. Their cases have no associated values, so the compiler stores a case as its
// position.

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
