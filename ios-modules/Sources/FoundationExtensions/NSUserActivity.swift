public import Foundation

/// A user activity, such as reading a page. The app receives activities from the system only for
/// universal links. The activities that the app creates stay in this process.
open class NSUserActivity: NSObject {
  public let activityType: String
  open var title: String?
  open var userInfo: [AnyHashable: Any]?
  open var requiredUserInfoKeys: Set<String>?
  open var needsSave = false
  /// The URL of the page; nil if there is none.
  open var webpageURL: URL?
  open var referrerURL: URL?
  open var expirationDate: Date?
  open var keywords: Set<String> = []
  open var targetContentIdentifier: String?
  open var persistentIdentifier: String?
  /// Whether Handoff may continue the activity. It has no effect, because Handoff is not simulated.
  open var isEligibleForHandoff = true
  /// Whether Spotlight may index the activity. It has no effect, because Spotlight is not
  /// simulated.
  open var isEligibleForSearch = false
  open var isEligibleForPublicIndexing = false
  open var isEligibleForPrediction = false

  public init(activityType: String) {
    self.activityType = activityType
    super.init()
  }

  open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
    userInfo = (userInfo ?? [:]).merging(otherDictionary) { $1 }
  }

  /// Does nothing, because activities are not passed to other devices.
  open func becomeCurrent() {}
  /// Does nothing, because activities are not passed to other devices.
  open func resignCurrent() {}
  /// Does nothing, because activities are not passed to other devices.
  open func invalidate() {}
}

/// The type of an activity for a universal link.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
