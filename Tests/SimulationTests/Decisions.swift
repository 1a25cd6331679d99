import JSON
import Policy
import Simulation

/// Answers of a decider that has the policies `Base`, for mail and notes, and `Open`, for nobody.
enum Decisions {
  static let policy = """
    {
      "value": [
        {
          "displayName": "Base",
          "allowedOutboundDataTransferDestinations": "managedApps",
          "allowedInboundDataTransferSources": "managedApps",
          "allowedOutboundClipboardSharingLevel": "managedApps",
          "allowedOutboundClipboardSharingExceptionLength": 8,
          "exemptedAppProtocols": [{ "name": "Default", "value": "skype" }],
          "apps": [
            { "mobileAppIdentifier": { "bundleId": "com.contoso.mail" } },
            { "mobileAppIdentifier": { "bundleId": "com.contoso.notes" } }
          ]
        },
        { "displayName": "Open", "allowedOutboundDataTransferDestinations": "allApps",
          "dialerRestrictionLevel": "customApp", "customDialerAppProtocol": "call", "apps": [] }
      ]
    }
    """

  static func decider() throws -> Decider {
    Decider(try PolicyFiles.read(Array(policy.utf8), file: "policies.json"))
  }

  /// The answer to the request of one line.
  static func answer(_ line: String, number: Int = 1) throws -> JSONValue {
    var decider = try decider()
    let bytes = try decider.answer(line, number: number)
    return try JSONReader.read(String(decoding: bytes, as: UTF8.self))
  }

  /// What is wrong with the request of one line; nil where nothing is.
  static func complaint(_ line: String, number: Int = 1) throws -> String? {
    do {
      _ = try answer(line, number: number)
      return nil
    } catch let error as RunError {
      return error.description
    }
  }
}
