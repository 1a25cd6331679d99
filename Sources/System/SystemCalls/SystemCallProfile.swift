internal import CSeccomp
internal import Glibc
internal import Synchronization

/// A kind of process, by the system calls that it may make once it is confined: seccomp(2).
package enum SystemCallProfile: Sendable, Hashable {
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
  package enum Strictness: String, Sendable, Hashable, CaseIterable {
    /// What reaches beyond the guest fails, also where programs commonly do it: modes, owners, times and extended
    /// attributes of files, watches on folders, files in memory, Unix sockets.
    case strict
    /// Only what ordinary programs do not do fails.
    case compatible
  }

  /// The network of a guest.
  package enum Network: Sendable, Hashable {
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

/// A filter as the kernel runs it, in a sealed file in memory that processes inherit.
package struct CompiledFilter: Sendable {
  /// The file's descriptor, closed when a program is executed and never in this process.
  package let descriptor: Int32

  private static let all = Mutex<[SystemCallProfile: CompiledFilter]>([:])

  /// The filter for a kind of process, which is compiled once.
  ///
  /// - Throws: ``SystemCallFilterError`` where libseccomp does not take a rule, or there is no descriptor.
  package static func of(
    _ profile: SystemCallProfile
  ) throws(SystemCallFilterError) -> CompiledFilter {
    try all.withLock { all throws(SystemCallFilterError) in
      if let known = all[profile] { return known }
      let compiled = try CompiledFilter(profile.filter)
      all[profile] = compiled
      return compiled
    }
  }

  /// The first call that the lists do not know: Linux 6.10 had the last one that they do. None of the younger is needed, and what they do
  /// nobody has looked at.
  private static let firstUnknownCall: UInt32 = 463

  /// Compiles a filter for this machine's architecture. Calls in another's manner (32 bits, x32) fail with `ENOSYS`, as do those from
  /// ``firstUnknownCall`` on.
  private init(_ filter: SystemCallFilter) throws(SystemCallFilterError) {
    guard let context = seccomp_init(filter.otherwise.action) else {
      throw SystemCallFilterError(operation: "seccomp_init", code: ENOMEM)
    }
    defer { seccomp_release(context) }
    try Self.set(SCMP_FLTATR_ACT_BADARCH, SystemCallRule.Answer.fails(ENOSYS).action, in: context)
    // A binary tree: the lists are long.
    try Self.set(SCMP_FLTATR_CTL_OPTIMIZE, 2, in: context)
    for rule in filter.rules { try Self.add(rule, to: context) }
    descriptor = sluice_file_in_memory("system-calls")
    guard descriptor >= 0 else {
      throw SystemCallFilterError(operation: "memfd_create", code: errno)
    }
    // Ahead of libseccomp's program, whose jumps are relative: a second filter would be a second program in the kernel.
    guard sluice_refuse_from(Self.firstUnknownCall, UInt32(ENOSYS), descriptor) == 0 else {
      throw SystemCallFilterError(operation: "write", code: errno)
    }
    try SystemCallFilterError.check("seccomp_export_bpf", seccomp_export_bpf(context, descriptor))
    guard sluice_seal(descriptor) == 0 else {
      throw SystemCallFilterError(operation: "F_ADD_SEALS", code: errno)
    }
  }

  private static func set(
    _ attribute: scmp_filter_attr, _ value: UInt32, in context: scmp_filter_ctx
  ) throws(SystemCallFilterError) {
    try SystemCallFilterError.check("seccomp_attr_set", seccomp_attr_set(context, attribute, value))
  }

  private static func add(
    _ rule: SystemCallRule, to context: scmp_filter_ctx
  ) throws(SystemCallFilterError) {
    let conditions = rule.conditions.map(\.comparison)
    for call in rule.calls {
      guard let number = call.number else {
        throw SystemCallFilterError(
          operation: "seccomp_syscall_resolve_name `\(call.name)`", code: ENOENT)
      }
      try SystemCallFilterError.check(
        "seccomp_rule_add `\(call.name)`",
        seccomp_rule_add_array(
          context, rule.answer.action, number, UInt32(conditions.count), conditions))
    }
  }
}

/// A filter of system calls that could not be made.
package struct SystemCallFilterError: Error, CustomStringConvertible {
  fileprivate let operation: String
  /// The system's number of the error.
  fileprivate let code: Int32

  fileprivate static func check(_ operation: String, _ result: Int32) throws(SystemCallFilterError)
  {
    guard result >= 0 else { throw SystemCallFilterError(operation: operation, code: -result) }
  }

  package var description: String {
    "system calls cannot be filtered: \(operation): \(String(cString: strerror(code)))"
  }
}
