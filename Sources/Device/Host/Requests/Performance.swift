/// The result of an instruction to a guest that is driven from outside.
public struct Performance: Sendable {
  /// The reason why the guest could not even try; nil where it could.
  public var failure: String?
  /// Bytes that the guest has read, where it was to read.
  public var found: [UInt8] = []
}
