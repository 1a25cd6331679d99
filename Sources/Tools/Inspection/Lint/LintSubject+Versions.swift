import Diagnostics
import Model
import Policy

/// Bounds on versions that contradict each other.
extension LintSubject {
  /// The bounds on one version, each with its setting.
  private struct Bounds {
    typealias Bound = (setting: Setting, version: Version?)

    let warning: Bound
    let block: Bound
    let wipe: Bound
    /// Whether the bounds are about versions above them; else those below.
    var isMaximum = false

    /// Whether every version that meets with `late` meets with `harsher` already.
    func isCovered(_ late: Bound, by harsher: Bound) -> Bool {
      guard let late = late.version, let harsher = harsher.version else { return false }
      return isMaximum ? harsher <= late : late <= harsher
    }
  }

  var versionBounds: [LintFinding] {
    let minimumOS = Bounds(
      warning: (.minimumWarningOsVersion, settings.minimumWarningOsVersion),
      block: (.minimumRequiredOsVersion, settings.minimumRequiredOsVersion),
      wipe: (.minimumWipeOsVersion, settings.minimumWipeOsVersion))
    let maximumOS = Bounds(
      warning: (.maximumWarningOsVersion, settings.maximumWarningOsVersion),
      block: (.maximumRequiredOsVersion, settings.maximumRequiredOsVersion),
      wipe: (.maximumWipeOsVersion, settings.maximumWipeOsVersion), isMaximum: true)
    let minimumApp = Bounds(
      warning: (.minimumWarningAppVersion, settings.minimumWarningAppVersion),
      block: (.minimumRequiredAppVersion, settings.minimumRequiredAppVersion),
      wipe: (.minimumWipeAppVersion, settings.minimumWipeAppVersion))
    let minimumSDK = Bounds(
      warning: (.minimumWarningSdkVersion, settings.minimumWarningSdkVersion),
      block: (.minimumRequiredSdkVersion, settings.minimumRequiredSdkVersion),
      wipe: (.minimumWipeSdkVersion, settings.minimumWipeSdkVersion))
    return [minimumOS, maximumOS, minimumApp, minimumSDK].flatMap(order)
      + crossing(minimumOS, maximumOS)
  }

  private func order(of bounds: Bounds) -> [LintFinding] {
    var findings: [LintFinding] = []
    if bounds.isCovered(bounds.block, by: bounds.wipe) {
      findings.append(covered(bounds.block, "nobody is blocked", by: bounds.wipe, "wipes"))
    }
    if bounds.isCovered(bounds.warning, by: bounds.block) {
      findings.append(covered(bounds.warning, "nobody is warned", by: bounds.block, "blocks"))
    } else if bounds.isCovered(bounds.warning, by: bounds.wipe) {
      findings.append(covered(bounds.warning, "nobody is warned", by: bounds.wipe, "wipes"))
    }
    return findings
  }

  private func covered(
    _ late: Bounds.Bound, _ effect: String, by harsher: Bounds.Bound, _ action: String
  ) -> LintFinding {
    finding(
      .versionOrder, at: late.setting,
      "\(effect) by `\(late.setting.rawValue)` \(text(late)), because `\(harsher.setting.rawValue)` "
        + "\(text(harsher)) \(action) first")
  }

  /// A finding about a minimum above the maximum.
  private func crossing(_ minimum: Bounds, _ maximum: Bounds) -> [LintFinding] {
    let lowest = [minimum.block, minimum.wipe].filter { $0.version != nil }
      .max { ($0.version ?? Version()) < ($1.version ?? Version()) }
    let highest = [maximum.block, maximum.wipe].filter { $0.version != nil }
      .min { ($0.version ?? Version()) < ($1.version ?? Version()) }
    guard let lowest, let highest, let low = lowest.version, let high = highest.version,
      low > high
    else { return [] }
    return [
      finding(
        .noVersionLeft, at: lowest.setting,
        "`\(lowest.setting.rawValue)` \(low) lies above `\(highest.setting.rawValue)` \(high), so no device "
          + "gets in")
    ]
  }

  private func text(_ bound: Bounds.Bound) -> String { bound.version?.description ?? "none" }
}
