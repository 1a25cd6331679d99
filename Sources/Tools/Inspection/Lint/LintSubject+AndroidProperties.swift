import Diagnostics
import JSON
import Policy

/// Properties that the policy's type does not have.
extension LintSubject {
  var androidProperties: [LintFinding] {
    let members = (object.members ?? []).filter {
      AndroidProperties.contains($0.name) && !$0.value.isNull
    }
    let restricting = members.filter { Self.restricts($0.value) }
    let idle = members.filter { !Self.restricts($0.value) }
    var findings = restricting.map { member in
      let counterpart = AndroidProperties.counterpart(of: member.name)
      return finding(
        .androidOnly, at: member.position,
        "`\(member.name)` is a setting of Android and has no effect on an iPhone"
          + (counterpart.map { "; iOS has `\($0)`" } ?? ""))
    }
    if let first = idle.first {
      var note = finding(
        .androidOnly, at: first.position,
        "\(Self.list(idle.map(\.name))): of Android, and without effect on an iPhone")
      note.severity = .note
      findings.append(note)
    }
    return findings
  }

  /// Whether somebody chose the value: Graph by itself writes false, zero, and empty values.
  private static func restricts(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .null: false
    case .bool(let flag): flag
    case .number: value.int != 0
    case .string(let text): !text.isEmpty
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    }
  }
}
