internal import CSharedMemory

/// The memory that this process has allocated and freed.
public enum FreedMemory {
  /// Keeps up to `count` bytes for later. By default each large buffer is mapped when it is made and unmapped when it is
  /// freed, and the faults of its new pages take longer than copying what is in them.
  public static func keep(upTo count: Int) { shared_memory_keep_freed(Int32(clamping: count)) }
}
