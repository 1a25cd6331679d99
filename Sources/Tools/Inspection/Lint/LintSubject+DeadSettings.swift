import Diagnostics
import Model
import Policy

/// Settings that are stated, and change nothing.
extension LintSubject {
  /// A finding for each setting whose default would lead to the same answers. Only values that somebody chose count:
  /// not defaults, and not values that the admin centre fills in by itself.
  var deadSettings: [LintFinding] {
    DeadSetting.all.compactMap { fact in
      guard isStated(fact.setting), !settings.isDefault(fact.setting),
        !AdminCentreValues.holds(fact.setting, in: settings), let cause = fact.cause(settings)
      else { return nil }
      var finding = finding(
        .noEffect, at: fact.setting,
        "`\(fact.setting.rawValue)` has no effect, because \(cause.words)")
      if cause.isStricter { finding.severity = .note }
      return finding
    }
  }
}
