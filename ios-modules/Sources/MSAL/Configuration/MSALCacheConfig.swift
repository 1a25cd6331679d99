public import Foundation

/// The configuration of the token cache. It has no effect, because the cache is in the app's
/// container and is never shared with other apps.
open class MSALCacheConfig: NSObject, NSCopying, @unchecked Sendable {
  open var keychainSharingGroup = MSALCacheConfig.defaultKeychainSharingGroup()

  override init() {}

  open class func defaultKeychainSharingGroup() -> String { "com.microsoft.adalcache" }

  open func copy(with zone: NSZone? = nil) -> Any { copied }

  var copied: MSALCacheConfig {
    let copy = MSALCacheConfig()
    copy.keychainSharingGroup = keychainSharingGroup
    return copy
  }

  var isDefault: Bool { keychainSharingGroup == Self.defaultKeychainSharingGroup() }
}
