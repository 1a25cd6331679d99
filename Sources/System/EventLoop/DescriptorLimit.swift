#if canImport(Glibc)
  internal import Glibc
#endif

/// How many descriptors this process may have open (RLIMIT_NOFILE of getrlimit(2)).
public enum DescriptorLimit {
  /// Takes as many as the system allows: by default a user's programs have 1,024, which is for those that use select(2), and
  /// few hundred guests need more.
  public static func raise() {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }
}
