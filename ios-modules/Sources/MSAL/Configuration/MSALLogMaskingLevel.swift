/// What of people is masked in the log.
public enum MSALLogMaskingLevel: Int, Sendable {
  case settingsMaskAllPII
  case settingsMaskEUIIOnly
  case settingsMaskSecretsOnly
}
