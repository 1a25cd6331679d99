package import Policy
package import UniformTypes

/// An installed app, as far as a share sheet asks about it.
package struct SheetApp: Sendable {
  /// What the user calls it.
  package var name: String
  /// The app, and whom it would act for if it got something.
  package var party: Party
  /// The publisher's team identifier.
  package var team: String
  /// `CFBundleDocumentTypes` > `LSItemContentTypes`: uniform types of the documents that it opens.
  package let documentTypes: [TypeReference]
  /// URL schemes that it registers, lower case.
  package var schemes: [String]
  /// Why the device does not show it, in a clause; nil where it does.
  package var ban: String?

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

  /// Whether it registers a URL scheme and that scheme's `-intunemam` twin, by which the SDK opens documents
  /// in it.
  package var hasSchemeTwin: Bool {
    schemes.contains { schemes.contains("\($0)-intunemam") }
  }
}
