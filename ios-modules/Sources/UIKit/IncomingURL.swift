internal import AppProcess
internal import Foundation
internal import FoundationExtensions

/// A URL that was opened, or a file that has come, for the app to open.
struct IncomingURL: Sendable {
  let url: URL
  /// The bundle id of the app that it comes from.
  let sender: String
  /// The account for which it was opened; nil where none is known.
  let accountId: String?
  /// Called once the app's code has returned: the sender waits for it.
  let done: @Sendable () -> Void

  /// Whether it is a link of the web, which an app continues instead of opening it.
  var isLink: Bool { ["http", "https"].contains(url.scheme?.lowercased()) }

  /// The activity by which a link reaches an app.
  @MainActor var activity: NSUserActivity {
    let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
    activity.webpageURL = url
    return activity
  }

  /// Runs the app's code for it, under its account.
  @MainActor func handle(_ body: () -> Void) {
    AppProcess.current.withActivity(of: accountId, body)
    done()
  }
}
