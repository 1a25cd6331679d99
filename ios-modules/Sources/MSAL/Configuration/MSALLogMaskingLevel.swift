/// The masking of personal data in the log.
public enum MSALLogMaskingLevel: Int, Sendable {
  case settingsMaskAllPII
  case settingsMaskEUIIOnly
  case settingsMaskSecretsOnly
}
