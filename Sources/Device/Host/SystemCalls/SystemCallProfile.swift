internal import CSeccomp
internal import Glibc
internal import Synchronization

/// A kind of process, which determines its permitted system calls once it is confined (seccomp(2)).
package enum SystemCallProfile: Sendable, Hashable {
  /// The program `sluice-guest`, as a ready-made guest or for scripts. The filter is an allowlist.
  case readyMade
  /// The zygote of `sluice-guest` and its forks, which inherit its filter. The filter permits the calls of
  /// ``readyMade`` and the calls that start and confine a fork.
  case zygote
  /// A program in any language. The filter is a denylist.
  case program(Strictness, Network)
  /// The program `sluice-server`, which listens for connections. The filter is a denylist.
  case server

  /// The strictness for programs from outside Sluice.
  package enum Strictness: String, Sendable, Hashable, CaseIterable {
    /// Refuses all calls with effects outside the guest, even calls that programs commonly need. Examples are calls
    /// that change a file's mode, owner, times or extended attributes, and calls that create directory watches, memory
    /// files or Unix sockets.
    case strict
    /// Refuses only calls that ordinary programs do not make.
    case compatible
  }

  package enum Network: Sendable, Hashable {
    /// No Internet sockets are permitted. With ``Strictness/strict``, the only permitted sockets are connected pairs
    /// (socketpair(2)).
    case none
    /// TCP connections to the ports that Landlock permits are allowed, in addition to the sockets that ``none``
    /// permits.
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

/// A compiled filter, in a sealed memory file that processes inherit.
package struct CompiledFilter: Sendable {
  /// The file's descriptor. It is close-on-exec, and stays open in this process.
  package let descriptor: Int32

  private static let all = Mutex<[SystemCallProfile: CompiledFilter]>([:])

  /// Returns the filter for a kind of process. The first call compiles the filter, later calls return the cached one.
  ///
  /// - Throws: ``SystemCallFilterError`` if libseccomp rejects a rule or no descriptor is available.
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

  /// The number of the first system call that the lists do not cover. The lists end with Linux 6.10; later calls are
  /// not needed and were not reviewed.
  private static let firstUnknownCall: UInt32 = 463

  /// Compiles a filter for this machine's architecture. Calls with numbers from
  /// ``firstUnknownCall``, and calls of other ABIs (32 bits, x32), fail with `ENOSYS`.
  private init(_ filter: SystemCallFilter) throws(SystemCallFilterError) {
    guard let context = seccomp_init(filter.otherwise.action) else {
      throw SystemCallFilterError(operation: "seccomp_init", code: ENOMEM)
    }
    defer { seccomp_release(context) }
    try Self.set(SCMP_FLTATR_ACT_BADARCH, SystemCallRule.Answer.fails(ENOSYS).action, in: context)
    // The value 2 selects a binary tree, which is faster for long lists.
    try Self.set(SCMP_FLTATR_CTL_OPTIMIZE, 2, in: context)
    for rule in filter.rules { try Self.add(rule, to: context) }
    descriptor = sluice_file_in_memory("system-calls")
    guard descriptor >= 0 else {
      throw SystemCallFilterError(operation: "memfd_create", code: errno)
    }
    // This code precedes libseccomp's program, which has only relative jumps. A second filter would
    // be a second program in the kernel.
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

package struct SystemCallFilterError: Error, CustomStringConvertible {
  fileprivate let operation: String
  fileprivate let code: Int32

  fileprivate static func check(_ operation: String, _ result: Int32) throws(SystemCallFilterError)
  {
    guard result >= 0 else { throw SystemCallFilterError(operation: operation, code: -result) }
  }

  package var description: String {
    "system calls cannot be filtered: \(operation): \(String(cString: strerror(code)))"
  }
}
