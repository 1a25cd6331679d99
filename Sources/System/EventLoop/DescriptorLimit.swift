#if canImport(Glibc)
  internal import Glibc
#endif

/// The limit on open descriptors of this process (RLIMIT_NOFILE of getrlimit(2)).
public enum DescriptorLimit {
  private static let forCrowds: rlim_t = 65_536

  /// Raises the limit as far as the system allows: by default a user's programs have 1,024, for the sake of
  /// select(2), and a few hundred guests need more. Root has as many as ten thousand guests need.
  public static func raise() {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    if limit.rlim_max < forCrowds {
      var more = rlimit(rlim_cur: forCrowds, rlim_max: forCrowds)
      if setrlimit(resource, &more) == 0 { return }
    }
    guard limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }
}
