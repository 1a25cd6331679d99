import Model

extension CounterfactualBuilder {
  /// The counterfactuals that could matter to the request, stated for every channel.
  func all() -> [Counterfactual] {
    let sides = Self.sendingSides
    return switch request.channel {
    // Between two apps
    case .share, .openIn, .import, .extensionResult, .dragAndDrop:
      send() + receive() + openIn()
    case .clipboard:
      clipboardLength() + clipboardLevel()
        + restriction(.requireManagedPasteboard, \.requireManagedPasteboard) + openIn()
    case .contactRead:
      restriction(.allowUnmanagedToReadManagedContacts, \.allowUnmanagedToReadManagedContacts)
        + restriction(.allowOpenFromManagedToUnmanaged, \.allowOpenFromManagedToUnmanaged)

    // By a URL
    case .openURL, .universalLink, .appClip: url()

    // To and from storage
    case .saveTo:
      toggle(.saveAsBlocked, \.saveAsBlocked, on: sides) + storageService() + send() + receive()
    case .openFrom:
      toggle(
        .blockDataIngestionIntoOrganizationDocuments,
        \.blockDataIngestionIntoOrganizationDocuments, on: [.receiver])
        + ingestionService() + receive() + send()

    // To the system
    case .documentPickerExport, .spotlight, .siriIntents, .appIntents, .safariExtension, .webView:
      send()
    case .documentPickerImport: receive()
    case .mailComposer: exemption(of: "mailto") + send()
    case .messageComposer: exemption(of: "sms") + messaging() + send()
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
        + screenCaptureControl() + send() + restriction(.allowScreenShot, \.allowScreenShot)
    case .writingTools:
      state(.writingToolsConfigurationState, \.writingToolsConfigurationState) + send()
        + restriction(.allowWritingTools, \.allowWritingTools)
    case .genmoji:
      state(.genmojiConfigurationState, \.genmojiConfigurationState) + send()
        + restriction(.allowGenmoji, \.allowGenmoji)
    case .fileEncryption: scale(.appDataEncryptionType, \.appDataEncryptionType, on: sides)
    }
  }

  private func url() -> [Counterfactual] {
    let byScheme =
      switch request.content.scheme {
      case "http", "https": browser() + universalLink()
      case "tel", "telprompt": dialer()
      case "sms", "imessage": messaging()
      default:  // open: any other scheme, or none
        send()
      }
    return exemption(of: request.content.scheme) + byScheme
  }

  private func openIn() -> [Counterfactual] {
    restriction(.allowOpenFromManagedToUnmanaged, \.allowOpenFromManagedToUnmanaged)
      + restriction(.allowOpenFromUnmanagedToManaged, \.allowOpenFromUnmanagedToManaged)
  }
}
