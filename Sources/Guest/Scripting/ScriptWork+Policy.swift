internal import Model
internal import SluiceKit
internal import Wire

/// Questions about what the policy allows; nothing moves.
extension ScriptWork {
  func askPolicy() throws(ScriptMisuse) {
    let policy = application.policy
    let decide = { (isAllowed: Bool) in answer([.boolean(isAllowed)]) }
    switch call {
    case .isSaveToAllowed, .isOpenFromAllowed, .saveToLocations, .openFromLocations:
      return try askAboutLocations()
    case .isURLAllowed, .isUniversalLinkAllowed:
      let url = try arguments.text(0)
      return scoped { policy.isURLAllowed(url, completion: decide) }
    case .canReceive:
      let item = try arguments.item(0)
      return scoped {
        application.request(.canReceive(item)) { decide($0.verdict != .blocked) }
      }
    case .isDocumentPickerAllowed:
      let mode = try pickerMode()
      return scoped { policy.isDocumentPickerAllowed(mode, completion: decide) }
    default: break
    }
    scoped { askAboutSystem(policy, decide) }
  }

  private func askAboutSystem(_ policy: IntuneMAMPolicy, _ decide: @escaping (Bool) -> Void) {
    switch call {
    case .isAppSharingAllowed: policy.isAppSharingAllowed(completion: decide)
    case .isPrintingAllowed: policy.isPrintingAllowed(completion: decide)
    case .isContactSyncAllowed: policy.isContactSyncAllowed(completion: decide)
    case .isWidgetContentSyncAllowed: policy.isWidgetContentSyncAllowed(completion: decide)
    case .isSpotlightIndexingAllowed: policy.isSpotlightIndexingAllowed(completion: decide)
    case .areSiriIntentsAllowed: policy.areSiriIntentsAllowed(completion: decide)
    case .areAppIntentsAllowed: policy.areAppIntentsAllowed(completion: decide)
    case .isScreenCaptureAllowed: policy.isScreenCaptureAllowed(completion: decide)
    case .isManagedBrowserRequired: policy.isManagedBrowserRequired(completion: decide)
    case .isFileEncryptionRequired: policy.isFileEncryptionRequired(completion: decide)
    default: policy.notificationPolicy { answer([.text($0.name)]) }
    }
  }

  private func askAboutLocations() throws(ScriptMisuse) {
    let policy = application.policy
    let decide = { (isAllowed: Bool) in answer([.boolean(isAllowed)]) }
    let tell = { (answers: [StorageLocation: Bool]) in
      let named = answers.map { ($0.key.rawValue, ScriptValue.boolean($0.value)) }
      answer([.record(Dictionary(named) { $1 })])
    }
    if call == .saveToLocations || call == .openFromLocations {
      let account = try arguments.text(orNothing: 0)
      return scoped {
        if call == .saveToLocations {
          policy.getSaveToLocations(forAccountId: account, completion: tell)
        } else {
          policy.getOpenFromLocations(forAccountId: account, completion: tell)
        }
      }
    }
    let location = try arguments.choice(0, StorageLocation.self)
    let account = try arguments.text(orNothing: 1)
    scoped {
      if call == .isSaveToAllowed {
        policy.isSaveToAllowed(for: location, accountId: account, completion: decide)
      } else {
        policy.isOpenFromAllowed(for: location, accountId: account, completion: decide)
      }
    }
  }

  private func pickerMode() throws(ScriptMisuse) -> DocumentPickerMode {
    switch try arguments.text(0) {
    case "import": return .import
    case "open": return .open
    case "exportToService": return .exportToService
    case "moveToService": return .moveToService
    case let name:
      throw ScriptMisuse(
        "`\(call.rawValue)` knows no `\(name)`: `import`, `open`, `exportToService`, "
          + "`moveToService`")
    }
  }
}

extension IntuneMAMNotificationPolicy {
  fileprivate var name: String {
    switch self {
    case .allow: "allow"
    case .blockOrgData: "blockOrgData"
    case .block: "block"
    }
  }
}
