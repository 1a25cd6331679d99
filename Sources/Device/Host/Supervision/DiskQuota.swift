/// The room that guests may take on the disk of the host.
public struct DiskQuota: Sendable {
  /// Bytes that the files of one container may take, as allocated: of an app or extension, or of an app group.
  public var containerBytes = 1 << 30
  /// Number of files and folders that one container may hold.
  public var containerFiles = 65_536
  /// Bytes that the files of all containers of the device may take together, as allocated.
  public var totalBytes = 4 << 30
  /// Bytes of the file system that are kept for the journal and the database; less where less than twice as much is
  /// free when the device comes up.
  public var reserve = 64 << 20

  /// Creates the default quota.
  public init() {}
}
