internal import JSON
internal import Model
internal import Sharding

/// What reports on cases say, and no case tells.
struct CaseFacts {
  /// The title of pages.
  var title: String
  /// The settings that the policies state.
  var stated: Set<Setting>

  init(title: String, stated: Set<Setting>) {
    self.title = title
    self.stated = stated
  }

  /// The facts in a plan.
  init(of plan: Plan) {
    let facts = try? JSONReader.read(plan.facts)
    title = facts?["title"]?.string ?? ""
    stated = Set(
      (facts?["stated"]?.array ?? []).compactMap { $0.string.flatMap(Setting.init(rawValue:)) })
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("title", title)
    writer.strings("stated", stated.map(\.rawValue).sorted())
  }
}
