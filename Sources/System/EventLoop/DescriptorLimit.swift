#if canImport(Glibc)
  internal import Glibc
#endif

/// The limit on open descriptors of this process (RLIMIT_NOFILE of getrlimit(2)).
public enum DescriptorLimit {
  /// Raises the limit as far as the system allows: by default a user's programs have 1,024, for the sake of
  /// select(2), and a few hundred guests need more.
  public static func raise() {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }
}
