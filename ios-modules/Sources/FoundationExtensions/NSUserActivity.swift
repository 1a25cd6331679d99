public import Foundation

/// Something that the user does, such as reading a page. It leaves the process only where the system hands one to the
/// app: for a universal link.
open class NSUserActivity: NSObject {
  public let activityType: String
  open var title: String?
  open var userInfo: [AnyHashable: Any]?
  open var requiredUserInfoKeys: Set<String>?
  open var needsSave = false
  /// The page; nil where there is none.
  open var webpageURL: URL?
  open var referrerURL: URL?
  open var expirationDate: Date?
  open var keywords: Set<String> = []
  open var targetContentIdentifier: String?
  open var persistentIdentifier: String?
  /// Kept: nothing is handed to other devices.
  open var isEligibleForHandoff = true
  /// Kept: Spotlight gets nothing of it.
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

  /// Exists and does nothing.
  open func becomeCurrent() {}
  /// Exists and does nothing.
  open func resignCurrent() {}
  /// Exists and does nothing.
  open func invalidate() {}
}

/// The type of the activity that opens a universal link.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
