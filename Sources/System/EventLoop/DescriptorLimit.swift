#if canImport(Glibc)
  internal import Glibc
#endif

/// The limit on open descriptors of this process (RLIMIT_NOFILE of getrlimit(2)).
public enum DescriptorLimit {
  private static let forCrowds: rlim_t = 65_536
  /// Descriptors that are not for guests: files that a device opens to work, clients that ask it.
  public static let reserve = 64

  /// The number that guests have used up, but for the reserve; nil while they have not. Of a small limit a quarter is the
  /// reserve.
  public static var exhausted: Int? {
    guard let most = current else { return nil }
    // The system gives the lowest number that is free.
    let next = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if next >= 0 { close(next) }
    return next >= 0 && Int(next) < most - min(reserve, most / 4) ? nil : most
  }

  /// The present limit; nil: none that could be reached.
  public static var current: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < rlim_t(Int32.max)
    else { return nil }
    return Int(limit.rlim_cur)
  }

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
