/// A kind of process, by the system calls that it may make once it is confined: seccomp(2).
public enum SystemCallProfile: Sendable, Hashable {
  /// `sluice-guest`, as an app and for scripts: what it does is listed.
  case readyMade
  /// The zygote of `sluice-guest`, and what it forks, which has the filter from it: what ``readyMade`` may, and the calls by
  /// which such a process is started and confined.
  case zygote
  /// A program in any language: what fails is listed.
  case program(Strictness, Network)
  /// `sluice-server`, which listens: what fails is listed.
  case server

  /// The strictness towards programs that are not Sluice's own.
  public enum Strictness: String, Sendable, Hashable, CaseIterable {
    /// What reaches beyond the guest fails, also where programs commonly do it: modes, owners, times and extended
    /// attributes of files, watches on folders, files in memory, Unix sockets.
    case strict
    /// Only what ordinary programs do not do fails.
    case compatible
  }

  /// The network of a guest.
  public enum Network: Sendable, Hashable {
    /// No sockets but pairs that are connected to one another.
    case none
    /// TCP connections to servers, whose ports Landlock knows.
    case client
  }

  var filter: SystemCallFilter {
    switch self {
    case .readyMade: .readyMade
    case .zygote: .zygote
    case .program(let strictness, let network): .program(strictness, network)
    case .server: .server
    }
  }
}
