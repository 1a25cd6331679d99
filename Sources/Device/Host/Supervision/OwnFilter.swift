internal import Synchronization

/// A filter of system calls that one guest has for itself, where others share that of their zygote.
///
/// The kernel frees each filter by a work of its own, and a work may wait for another one of the same queue. Where 1,024
/// filters are freed at one time, all wait for ever (Linux 6.18, `bpf_prog_free_deferred`), and so does every process of
/// the machine that asks for a filter from then on.
final class OwnFilter {
  /// The largest number at a time, of all devices of this process.
  static let most = 900

  private static let count = Atomic(0)

  /// Counts one more.
  ///
  /// - Throws: ``HostError`` where there are as many as there may be.
  init(of app: AppDescription) throws(HostError) {
    guard Self.count.add(1, ordering: .relaxed).newValue <= Self.most else {
      Self.count.subtract(1, ordering: .relaxed)
      throw HostError(
        .limit,
        "\(Self.most) programs and apps with app groups run, which is the most that the kernel is asked for; `\(app.bundleID)` "
          + "can start once one of them has ended")
    }
  }

  deinit { Self.count.subtract(1, ordering: .relaxed) }
}
