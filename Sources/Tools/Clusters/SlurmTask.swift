/// A task of an array job, or several that wait, as one line of `scontrol --oneliner show job`.
struct SlurmTask {
  private let fields: [Substring: Substring]

  /// Reads `Name=value Name=value …`.
  init(_ line: Substring) {
    var fields: [Substring: Substring] = [:]
    for field in line.split(separator: " ") {
      guard let sign = field.firstIndex(of: "=") else { continue }
      fields[field[..<sign]] = field[field.index(after: sign)...]
    }
    self.fields = fields
  }

  /// The numbers of the tasks: `3`, or `3-5,7%2` of those that wait, of which two may run at once.
  var numbers: [Int] {
    let list = (fields["ArrayTaskId"] ?? "").prefix { $0 != "%" }
    return list.split(separator: ",").flatMap { part -> [Int] in
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last else { return [] }
      return Array(first...last)
    }
  }

  var state: ShardState {
    let (state, reason) = (fields["JobState"] ?? "", fields["Reason"] ?? "")
    switch state {
    case "PENDING" where reason.contains("Held") || reason.contains("held"):
      return .ended("before it began: Slurm holds it (\(reason))")
    case "PENDING", "CONFIGURING", "REQUEUED", "SUSPENDED", "STOPPED":
      return .waiting(reason == "None" ? String(state).lowercased() : String(reason))
    case "RUNNING", "COMPLETING": return .running(host)
    case "COMPLETED": return .ended("on \(host)")
    case "FAILED": return .ended("\(exit) on \(host)")
    default: return .ended("\(state.lowercased()) on \(host)")  // open: any other state
    }
  }

  /// How the task ended, of `status:signal`.
  private var exit: String {
    let parts = (fields["ExitCode"] ?? "").split(separator: ":")
    guard parts.count == 2 else { return "failed" }
    if fields["Reason"] == "JobLaunchFailure", parts[1] == "53" { return "before it began" }
    return parts[1] == "0" ? "with status \(parts[0])" : "by signal \(parts[1])"
  }

  private var host: String {
    fields["NodeList"].map { $0.isEmpty || $0 == "(null)" ? "no node" : String($0) } ?? "no node"
  }
}
