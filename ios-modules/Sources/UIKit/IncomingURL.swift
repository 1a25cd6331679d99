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
  /// A closure to call after the app's code has returned, because the sender waits for it.
  let done: @Sendable () -> Void

  /// Whether the URL is a web link. Apps receive web links as user activities.
  var isLink: Bool { ["http", "https"].contains(url.scheme?.lowercased()) }

  /// The user activity with which the app receives a link.
  @MainActor var activity: NSUserActivity {
    let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
    activity.webpageURL = url
    return activity
  }

  /// Runs the app's code for the URL on behalf of its account.
  @MainActor func handle(_ body: () -> Void) {
    AppProcess.current.withActivity(of: accountId, body)
    done()
  }
}
