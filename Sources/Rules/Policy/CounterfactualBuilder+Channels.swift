import Transfer

extension CounterfactualBuilder {
  /// What could matter to the request, given its channel.
  func all() -> [Counterfactual] {
    let outgoing = Self.sendingSides
    return switch request.channel {
    case .share, .openIn, .import, .extensionResult, .dragAndDrop:
      send() + receive() + openIn()
    case .clipboard:
      clipboardLength() + clipboardLevel()
        + restriction(.requireManagedPasteboard, \.requireManagedPasteboard) + openIn()
    case .contactRead:
      restriction(.allowUnmanagedToReadManagedContacts, \.allowUnmanagedToReadManagedContacts)
        + restriction(.allowOpenFromManagedToUnmanaged, \.allowOpenFromManagedToUnmanaged)
    case .openURL, .universalLink, .appClip: url()
    case .saveTo:
      toggle(.saveAsBlocked, \.saveAsBlocked, on: outgoing) + storageService() + send() + receive()
    case .openFrom:
      toggle(
        .blockDataIngestionIntoOrganizationDocuments,
        \.blockDataIngestionIntoOrganizationDocuments, on: [.receiver])
        + ingestionService() + receive() + send()
    case .documentPickerExport, .spotlight, .siriIntents, .appIntents, .safariExtension, .webView:
      send()
    case .documentPickerImport: receive()
    case .mailComposer: exemption(of: "mailto") + send()
    case .messageComposer: exemption(of: "sms") + messaging() + send()
    default: function()
    }
  }

  private func function() -> [Counterfactual] {
    let sides = Self.sendingSides
    return switch request.channel {
    case .print: toggle(.printBlocked, \.printBlocked, on: sides)
    case .notification: scale(.notificationRestriction, \.notificationRestriction, on: sides)
    case .contactSync:
      toggle(.contactSyncBlocked, \.contactSyncBlocked, on: sides)
        + restriction(.allowManagedToWriteUnmanagedContacts, \.allowManagedToWriteUnmanagedContacts)
        + restriction(.allowOpenFromManagedToUnmanaged, \.allowOpenFromManagedToUnmanaged)
    case .widget: toggle(.allowWidgetContentSync, \.allowWidgetContentSync, on: sides)
    case .backup: toggle(.dataBackupBlocked, \.dataBackupBlocked, on: sides)
    case .keyboard:
      toggle(.thirdPartyKeyboardsBlocked, \.thirdPartyKeyboardsBlocked, on: sides + [.app])
    case .screenCapture:
      state(.screenCaptureConfigurationState, \.screenCaptureConfigurationState)
        + screenCaptureControl() + send()
    case .writingTools:
      state(.writingToolsConfigurationState, \.writingToolsConfigurationState) + send()
    case .genmoji: state(.genmojiConfigurationState, \.genmojiConfigurationState) + send()
    case .fileEncryption: scale(.appDataEncryptionType, \.appDataEncryptionType, on: sides)
    default: []
    }
  }

  private func url() -> [Counterfactual] {
    let byScheme =
      switch request.content.scheme {
      case "http", "https": browser() + universalLink()
      case "tel", "telprompt": dialer()
      case "sms", "imessage": messaging()
      default: send()
      }
    return exemption(of: request.content.scheme) + byScheme
  }

  private func openIn() -> [Counterfactual] {
    restriction(.allowOpenFromManagedToUnmanaged, \.allowOpenFromManagedToUnmanaged)
      + restriction(.allowOpenFromUnmanagedToManaged, \.allowOpenFromUnmanagedToManaged)
  }
}
