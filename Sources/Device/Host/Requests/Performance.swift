/// What came of an instruction to a guest that is driven from outside.
public struct Performance: Sendable {
  /// Why the guest could not even try; nil where it could.
  public var failure: String?
  /// What it read, where it was to read.
  public var found: [UInt8] = []
}
