package import Encodings

// The name and the glyph of an app on pages.

/// The names of well-known apps, as shown to readers. Scenarios, policies and exports name these apps by their bundle
/// ids.
package enum AppName {
  /// The names, keyed by lowercase bundle id.
  private static let names = [
    "com.adobe.adobe-reader": "Adobe Acrobat",
    "com.apple.mobilemail": "Mail",
    "com.apple.mobilenotes": "Notes",
    "com.apple.mobilesafari": "Safari",
    "com.apple.mobilesms": "Messages",
    "com.getdropbox.dropbox": "Dropbox",
    "com.google.chrome.ios": "Chrome",
    "com.google.drive": "Google Drive",
    "com.google.gmail": "Gmail",
    "com.microsoft.msedge": "Edge",
    "com.microsoft.office.excel": "Excel",
    "com.microsoft.office.outlook": "Outlook",
    "com.microsoft.office.powerpoint": "PowerPoint",
    "com.microsoft.office.word": "Word",
    "com.microsoft.onenote": "OneNote",
    "com.microsoft.skydrive": "OneDrive",
    "com.microsoft.skype.teams": "Teams",
    "com.tinyspeck.chatlyio": "Slack",
    "net.whatsapp.whatsapp": "WhatsApp",
    "org.whispersystems.signal": "Signal",
    "ph.telegra.telegraph": "Telegram",
    "us.zoom.videomeetings": "Zoom",
  ]

  /// The names of groups of apps, keyed by a bundle id pattern. A group consists of the apps that match the pattern and
  /// are not named individually in any document.
  private static let groups = [
    "*": "all other apps", "com.microsoft.*": "other apps of Microsoft",
  ]

  /// Returns the name of an app or a group of apps; nil if it is not well known.
  ///
  /// - Parameter bundleID: The bundle id, in any casing. `*` and `com.microsoft.*` stand for the apps that no document
  ///   names individually.
  package static func of(_ bundleID: String) -> String? {
    names[bundleID.lowercased()] ?? groups[bundleID]
  }

  /// Moves the bundle ids of well-known apps to the front, for lists that show only their first entries.
  package static func wellKnownFirst(_ bundleIDs: [String]) -> [String] {
    let isKnown = { (bundleID: String) in names[bundleID.lowercased()] != nil }
    return bundleIDs.filter(isKnown) + bundleIDs.filter { !isKnown($0) }
  }

  /// Returns the lowercase bundle id of a well-known app; nil for other names.
  ///
  /// - Parameter name: In any casing, with or without spaces.
  package static func bundleID(of name: String) -> String? {
    let letters = normalized(name)
    return names.first { normalized($0.value) == letters }?.key
  }

  /// Returns whether `name` is the app's ``short(_:)`` name or the last part of its bundle id, ignoring case and
  /// spaces.
  package static func names(_ name: String, _ bundleID: String) -> Bool {
    let letters = normalized(name)
    let last = bundleID.split(separator: ".").last.map(String.init) ?? ""
    return [short(bundleID), last].contains { normalized($0) == letters }
  }

  private static func normalized(_ name: String) -> String {
    name.lowercased().filter { !$0.isWhitespace }
  }

  /// Returns the name of an app or a group of apps. If the app is not well known, returns the last part of its bundle
  /// id, with a capital letter.
  package static func short(_ bundleID: String) -> String {
    of(bundleID) ?? (bundleID.split(separator: ".").last.map(String.init) ?? "").capitalizedStart
  }

  /// Writes all names, by lowercase bundle id, as the member `apps` of a page's data.
  package static func write(to writer: inout JSONWriter) {
    writer.object("apps") { $0.members(of: names) { $0.string($1) } }
  }
}

/// The initial and the colour of an app's icon in pictures. Apps with the same name have the same glyph on all pages.
/// The flow map names its boxes in the browser, so `map.js` contains a second implementation. Tests compare both
/// implementations with one table.
package struct AppGlyph: Sendable, Equatable {
  /// A letter or digit in upper case; `?` if the name has no letter and no digit.
  package let initial: String
  /// The hue in degrees.
  package let hue: Int

  /// Creates the glyph of an app. A number at the end of the name does not affect the hue, so `mail-1` and `mail-2`
  /// have the glyph of `mail`.
  ///
  /// - Parameter name: The app's name or bundle id. Only the last part of a bundle id counts.
  package init(of name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isBundleID =
      parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.unicodeScalars.allSatisfy {
            ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
              || $0 == "-" || $0 == "_"
          }
      }
    let last = isBundleID ? parts.last.map(String.init) ?? name : name
    initial = last.first { $0.isLetter || $0.isNumber }.map { $0.uppercased() } ?? "?"
    var base = Substring(last)
    let digits = base.reversed().prefix { ("0"..."9").contains($0) }.count
    if digits > 0 {
      base = base.dropLast(digits)
      if base.hasSuffix("-") { base = base.dropLast() }
    }
    hue = base.lowercased().unicodeScalars.reduce(0) { ($0 * 31 + Int($1.value)) % 360 }
  }
}
