/// A national or public cloud with its own authentication endpoints.
public enum MSALAzureCloudInstance: Int, Sendable {
  case publicCloudInstance
  case chinaCloudInstance
  case germanyCloudInstance
  case usGovernmentCloudInstance
  case franceCloudInstance
  case delosCloudInstance
  case govSGCloudInstance
}

extension MSALAzureCloudInstance {
  /// The host name of the cloud's authority.
  ///
  /// Source: MSAL for iOS, `MSALAADAuthority.h`.
  var host: String {
    switch self {
    case .publicCloudInstance: "login.microsoftonline.com"
    case .chinaCloudInstance: "login.chinacloudapi.cn"
    case .germanyCloudInstance: "login.microsoftonline.de"
    case .usGovernmentCloudInstance: "login.microsoftonline.us"
    case .franceCloudInstance: "login.sovcloud-identity.fr"
    case .delosCloudInstance: "login.sovcloud-identity.de"
    case .govSGCloudInstance: "login.sovcloud-identity.sg"
    }
  }
}
