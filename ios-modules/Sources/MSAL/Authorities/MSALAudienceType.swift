/// The accounts that may sign in.
public enum MSALAudienceType: Int, Sendable {
  case azureADAndPersonalMicrosoftAccountAudience
  case azureADMultipleOrgsAudience
  case azureADMyOrgOnlyAudience
  case personalMicrosoftAccountAudience
}

extension MSALAudienceType {
  /// Returns the tenant part of an authority's URL.
  func tenant(_ rawTenant: String?) throws(Failure) -> String {
    switch (self, rawTenant) {
    case (.azureADMyOrgOnlyAudience, let tenant?): return tenant
    case (.azureADMyOrgOnlyAudience, nil):
      throw .invalidParameter("`azureADMyOrgOnlyAudience` needs a `rawTenant`")
    case (.azureADAndPersonalMicrosoftAccountAudience, _?), (.azureADMultipleOrgsAudience, _?),
      (.personalMicrosoftAccountAudience, _?):
      throw .invalidParameter("a `rawTenant` is valid only with `azureADMyOrgOnlyAudience`")
    case (.azureADAndPersonalMicrosoftAccountAudience, nil): return "common"
    case (.azureADMultipleOrgsAudience, nil): return "organizations"
    case (.personalMicrosoftAccountAudience, nil): return "consumers"
    }
  }
}
