internal import Encodings
internal import Policy

/// The settings of one policy that affect the exported requests, as plain JSON.
struct PolicyFacts {
  private let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  func write(named name: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("policy", name)
      writer.object("settings", write)
    }
  }

  private func write(_ writer: inout JSONWriter) {
    writer.member("send", settings.allowedOutboundDataTransferDestinations.rawValue)
    writer.member("receive", settings.allowedInboundDataTransferSources.rawValue)
    writer.member("osSharing", settings.disableProtectionOfManagedOutboundOpenInData)
    writer.member("filter", settings.filterOpenInToOnlyManagedApps)
    writer.member("clipboard", settings.allowedOutboundClipboardSharingLevel.rawValue)
    writer.member("exception", settings.allowedOutboundClipboardSharingExceptionLength)
    writer.member("saveAsBlocked", settings.saveAsBlocked)
    writer.array("storage") { writer in
      for service in settings.allowedDataStorageLocations.map(\.rawValue).sorted() {
        writer.string(service)
      }
    }
  }
}
