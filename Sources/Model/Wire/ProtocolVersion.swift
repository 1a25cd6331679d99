/// The versions and values that a guest and its host must agree on before anything else is sent.
public enum ProtocolVersion {
  /// The version of frames and handshake.
  public static let transport: UInt32 = 1
  /// The version of the messages of `proto/sluice.proto`.
  public static let application: UInt32 = 1
  /// Largest frame by default, in bytes without its length.
  public static let defaultFrameLimit = 16 * 1024 * 1024
  /// The descriptor on which a guest finds its host.
  public static let descriptor: Int32 = 3
}
