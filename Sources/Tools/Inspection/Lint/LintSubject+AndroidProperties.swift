import Diagnostics
import GraphDocuments
import JSON
import Policy

/// Properties that the policy's type does not have.
extension LintSubject {
  var androidProperties: [LintFinding] {
    let members = (object.members ?? []).filter {
      AndroidProperties.contains($0.name) && !$0.value.isNull
    }
    let restricting = members.filter(\.statesAnything)
    let idle = members.filter { !$0.statesAnything }
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
}
