/// What a guest and its host must agree on before anything else is said.
public enum ProtocolVersion {
  /// Frames and handshake.
  public static let transport: UInt32 = 1
  /// The messages of `proto/sluice.proto`.
  public static let application: UInt32 = 1
  /// Largest frame by default, in bytes without its length.
  public static let defaultFrameLimit = 16 * 1024 * 1024
  /// The descriptor on which a guest finds its host.
  public static let descriptor: Int32 = 3
}
