public import Foundation

public let MSAL_PRIMARY_REGISTRATION_UPN = "primary_registration_metadata_upn"
public let MSAL_PRIMARY_REGISTRATION_DEVICE_ID = "primary_registration_metadata_device_id"
public let MSAL_PRIMARY_REGISTRATION_TENANT_ID = "primary_registration_metadata_tenant_id"
public let MSAL_PRIMARY_REGISTRATION_CLOUD = "primary_registration_metadata_cloud_host"
public let MSAL_PRIMARY_REGISTRATION_CERTIFICATE_THUMBPRINT =
  "primary_registration_metadata_certificate_thumbprint"

/// A broker's information about the device. It is always empty, because there is no broker.
open class MSALDeviceInformation: NSObject, @unchecked Sendable {
  override init() {}

  public var deviceMode: MSALDeviceMode { .default }
  public var configuredPreferredAuthMethod: MSALPreferredAuthMethod { .none }
  public var hasAADSSOExtension: Bool { false }
  public var extraDeviceInformation: [AnyHashable: Any] { [:] }
}
