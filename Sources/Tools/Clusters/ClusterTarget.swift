/// Where the shards of a run go.
package enum ClusterTarget: Sendable, Equatable {
  /// The nodes of a Slurm, as an array job.
  case slurm
  /// Hosts that ssh reaches, as GNU parallel names them.
  case ssh([String])
  /// The nodes of a Kubernetes, as an Indexed Job.
  case kubernetes

  /// Reads `slurm`, `ssh:host,host` or `kubernetes`; nil where it is none.
  package init?(_ text: String) {
    switch text {
    case "slurm": self = .slurm
    case "kubernetes": self = .kubernetes
    default:  // open: names of hosts
      guard text.hasPrefix("ssh:") else { return nil }
      let hosts = text.dropFirst(4).split(separator: ",", omittingEmptySubsequences: false)
      guard !hosts.isEmpty, hosts.allSatisfy({ !$0.isEmpty && $0.first != "-" }),
        text.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0 != "'" })
      else { return nil }
      self = .ssh(hosts.map(String.init))
    }
  }

  package var text: String {
    switch self {
    case .slurm: "slurm"
    case .ssh(let hosts): "ssh:" + hosts.joined(separator: ",")
    case .kubernetes: "kubernetes"
    }
  }
}
