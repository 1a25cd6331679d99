package import Policy
package import UniformTypes

/// An installed app, with the properties that share sheets depend on.
package struct SheetApp: Sendable {
  /// The user's name for the app.
  package var name: String
  /// The app, and the identity that it would act for if it got an item.
  package var party: Party
  /// The publisher's team identifier.
  package var team: String
  /// The uniform types of the documents that the app opens (`CFBundleDocumentTypes` > `LSItemContentTypes`).
  package let documentTypes: [TypeReference]
  /// The URL schemes that the app registers, in lower case.
  package var schemes: [String]
  /// The reason why the device does not show the app, in a clause; nil where it does.
  package var ban: String?

  /// Creates an installed app.
  package init(
    name: String, party: Party, team: String = "", documentTypes: [String] = [],
    schemes: [String] = []
  ) {
    self.name = name
    self.party = party
    self.team = team
    self.documentTypes = documentTypes.map(TypeReference.init)
    self.schemes = schemes
  }

  package var bundleID: String { party.app.bundleID }

  /// Whether the app registers a URL scheme and that scheme's `-intunemam` twin, by which the SDK opens documents in
  /// the app.
  package var hasSchemeTwin: Bool {
    schemes.contains { schemes.contains("\($0)-intunemam") }
  }
}
