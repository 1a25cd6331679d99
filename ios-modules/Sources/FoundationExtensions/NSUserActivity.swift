public import Foundation

/// A user activity, such as reading a page. Only the system passes activities to the app, for universal links;
/// the app's own activities stay in this process.
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
  /// Has no effect: there is no Handoff to other devices.
  open var isEligibleForHandoff = true
  /// Has no effect: there is no Spotlight.
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

  /// Does nothing.
  open func becomeCurrent() {}
  /// Does nothing.
  open func resignCurrent() {}
  /// Does nothing.
  open func invalidate() {}
}

/// The type of an activity for a universal link.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
