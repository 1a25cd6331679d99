internal import Glibc

/// Rules for system calls, the more particular of which count.
struct SystemCallFilter: Sendable {
  /// The answer to calls that no rule names.
  let otherwise: SystemCallRule.Answer
  let rules: [SystemCallRule]

  static let readyMade = SystemCallFilter(otherwise: .fails(ENOSYS), rules: ownCalls)

  static let zygote = SystemCallFilter(otherwise: .fails(ENOSYS), rules: ownCalls + birth)

  static let server = SystemCallFilter(
    otherwise: .allowed, rules: otherProcesses + messages + namespaces + machine + filters)

  static func program(
    _ strictness: SystemCallProfile.Strictness, _ network: SystemCallProfile.Network
  ) -> SystemCallFilter {
    var rules = otherProcesses + messages + namespaces + machine + filters + tcpFastOpen
    rules.append(.refuse("listen"))
    var families: Set<Int32> = network == .client ? [AF_INET, AF_INET6] : []
    switch strictness {
    case .strict: rules += metadata
    case .compatible: families.insert(AF_UNIX)
    }
    return SystemCallFilter(otherwise: .allowed, rules: rules + sockets(of: families))
  }
}
