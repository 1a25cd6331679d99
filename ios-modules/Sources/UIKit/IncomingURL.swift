internal import AppProcess
internal import Foundation
internal import FoundationExtensions

/// A URL or a received file that the app should open.
struct IncomingURL: Sendable {
  let url: URL
  /// The bundle id of the sending app.
  let sender: String
  /// The account for which the URL was opened; nil if unknown.
  let accountId: String?
  /// The closure to call after the app's code has returned. The sender waits for this call.
  let done: @Sendable () -> Void

  /// Whether the URL is a web link. Apps receive web links as user activities.
  var isLink: Bool { ["http", "https"].contains(url.scheme?.lowercased()) }

  /// The user activity by which the app receives the web link.
  @MainActor var activity: NSUserActivity {
    let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
    activity.webpageURL = url
    return activity
  }

  /// Runs the app's code that opens the URL. Meanwhile, the URL's account is the account of the
  /// current activity.
  @MainActor func handle(_ body: () -> Void) {
    AppProcess.current.withActivity(of: accountId, body)
    done()
  }
}
