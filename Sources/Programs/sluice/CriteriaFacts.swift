internal import JSON
internal import Sharding

/// What certificates say, and no check tells.
struct CriteriaFacts {
  /// The ids of the criteria.
  var criteria: Set<String>
  /// The id of the criterion that each piece checks.
  var checked: [String]
  /// The bundle id of the app under test; nil: the simulator's own apps.
  var bundle: String?

  init(criteria: Set<String>, checked: [String], bundle: String?) {
    self.criteria = criteria
    self.checked = checked
    self.bundle = bundle
  }

  /// The facts in a plan.
  init(of plan: Plan) {
    let facts = try? JSONReader.read(plan.facts)
    criteria = Set((facts?["criteria"]?.array ?? []).compactMap(\.string))
    checked = (facts?["checked"]?.array ?? []).compactMap(\.string)
    bundle = facts?["bundle"]?.string
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.strings("criteria", criteria.sorted())
    writer.strings("checked", checked)
    writer.member("bundle", bundle)
  }
}
