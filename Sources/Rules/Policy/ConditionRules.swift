import Model

/// The rules of one condition of a launch: one where it is met, and one for each action where it is not.
struct ConditionRules {
  var met: Rule
  var warns: Rule
  var blocks: Rule
  var wipes: Rule

  /// The rule that applies where the condition is not met.
  func broken(_ action: Settings.Remediation) -> Rule {
    switch action {
    case .warn: warns
    case .block: blocks
    case .wipe: wipes
    }
  }

  static let minimumSDKVersion = ConditionRules(
    met: .minimumSDKVersionMet, warns: .minimumSDKVersionWarns, blocks: .minimumSDKVersionBlocks,
    wipes: .minimumSDKVersionWipes)
  static let minimumAppVersion = ConditionRules(
    met: .minimumAppVersionMet, warns: .minimumAppVersionWarns, blocks: .minimumAppVersionBlocks,
    wipes: .minimumAppVersionWipes)
  static let minimumOSVersion = ConditionRules(
    met: .minimumOSVersionMet, warns: .minimumOSVersionWarns, blocks: .minimumOSVersionBlocks,
    wipes: .minimumOSVersionWipes)
  static let maximumOSVersion = ConditionRules(
    met: .maximumOSVersionMet, warns: .maximumOSVersionWarns, blocks: .maximumOSVersionBlocks,
    wipes: .maximumOSVersionWipes)
  static let jailbroken = ConditionRules(
    met: .notJailbroken, warns: .jailbrokenWarns, blocks: .jailbrokenBlocks,
    wipes: .jailbrokenWipes)
  static let deviceModel = ConditionRules(
    met: .deviceModelAllowed, warns: .deviceModelWarns, blocks: .deviceModelBlocks,
    wipes: .deviceModelWipes)
  static let threatLevel = ConditionRules(
    met: .threatLevelAccepted, warns: .threatLevelWarns, blocks: .threatLevelBlocks,
    wipes: .threatLevelWipes)
  static let threatLevelUnknown = ConditionRules(
    met: .threatLevelAccepted, warns: .threatLevelUnknownWarns, blocks: .threatLevelUnknownBlocks,
    wipes: .threatLevelUnknownWipes)
  static let accountDisabled = ConditionRules(
    met: .accountEnabled, warns: .accountDisabledWarns, blocks: .accountDisabledBlocks,
    wipes: .accountDisabledWipes)
  static let clockedOut = ConditionRules(
    met: .notClockedOut, warns: .clockedOutWarns, blocks: .clockedOutBlocks,
    wipes: .clockedOutWipes)
}
