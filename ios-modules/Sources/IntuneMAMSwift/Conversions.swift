internal import Foundation
internal import SluiceKit

/// Converts SluiceKit's values to the SDK's values.
extension IntuneMAMIdentitySwitchReason {
  init(_ reason: SluiceKit.IntuneMAMIdentitySwitchReason) {
    switch reason {
    case .openURL, .unknown: self = .openURL
    case .cancelConditionalLaunch: self = .cancelConditionalLaunch
    case .documentImport: self = .documentImport
    }
  }
}

extension IntuneMAMSwitchIdentityResult {
  init(_ result: SluiceKit.IntuneMAMSwitchIdentityResult) {
    switch result {
    case .success: self = .success
    case .canceled: self = .canceled
    case .notAllowed: self = .notAllowed
    case .failed: self = .failed
    }
  }
}
