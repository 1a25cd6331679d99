import Activation
import Analysis
import Model
import Policy
import UniformTypes

/// An independent, simple evaluator of share sheets. It applies the documented rules to one
/// destination at a time.
struct NaiveSheet {
  var sharing: Sharing
  var installed: [String]

  func copy(to app: SheetApp) -> SheetDestination.Visibility {
    let isWayClosed = sharing.via == .sdk && isRestricted
    let opens = sharing.contents.allSatisfy { content in
      content.fileName != nil
        && content.types.contains { type in
          app.documentTypes.contains { sharing.types.conforms(type, to: $0.identifier) }
        }
    }
    guard opens, !isWayClosed, app.bundleID != sharing.sender.app.bundleID else { return .hidden }
    return visibility(outcome(app.party))
  }

  func offer(_ extension: SheetExtension) -> SheetDestination.Visibility {
    let prefix = sharing.via == .sdk && isRestricted ? "com.microsoft.intune.mam." : ""
    let items = [
      SharedItem(
        attachments: sharing.contents.map { content in
          SharedAttachment(registeredTypeIdentifiers: content.types.map { prefix + $0 })
        })
    ]
    guard installed.contains(`extension`.containingApp),
      `extension`.rule?.matches(items, types: sharing.types) == true
    else { return .hidden }
    return visibility(outcome(`extension`.party))
  }

  private func visibility(_ outcome: Outcome) -> SheetDestination.Visibility {
    switch outcome {
    case .allowed: .shown
    case .encrypted: .encrypted
    case .blocked: .hidden
    }
  }

  private var send: Settings? { sharing.sender.policy?.settings }

  private var isRestricted: Bool {
    send.map { $0.allowedOutboundDataTransferDestinations != .allApps } ?? false
  }

  /// Returns the outcome of a transfer to a receiver in another app.
  private func outcome(_ receiver: Party) -> Outcome {
    min(leaving(to: receiver), arriving(at: receiver), betweenApps(receiver))
  }

  private func leaving(to receiver: Party) -> Outcome {
    guard let send else { return .allowed }
    switch send.allowedOutboundDataTransferDestinations {
    case .allApps: return .allowed
    case .none: return sharing.via == .sdk ? .blocked : .encrypted
    case .managedApps: break
    }
    if receiver.policy != nil {
      let tenants = [sharing.sender, receiver].map { $0.identity.account?.tenantID }
      return tenants[0] == tenants[1] ? .allowed : .blocked
    }
    guard sharing.via == .os, !send.filterOpenInToOnlyManagedApps else { return .blocked }
    guard send.disableProtectionOfManagedOutboundOpenInData, sharing.device.isMDMEnrolled,
      sharing.sender.app.hasEnrolledUPN
    else { return .encrypted }
    guard receiver.app.isMDMManaged || sharing.device.allowOpenFromManagedToUnmanaged else {
      return .blocked
    }
    return receiver.app.linksSDK ? .encrypted : .allowed
  }

  private func arriving(at receiver: Party) -> Outcome {
    guard let settings = receiver.policy?.settings else { return .allowed }
    return switch settings.allowedInboundDataTransferSources {
    case .allApps: .allowed
    case .managedApps: sharing.sender.policy == nil ? .blocked : .allowed
    case .none: .blocked
    }
  }

  /// Returns the outcome under the MDM restrictions.
  private func betweenApps(_ receiver: Party) -> Outcome {
    guard sharing.device.isMDMEnrolled else { return .allowed }
    return switch (sharing.sender.app.isMDMManaged, receiver.app.isMDMManaged) {
    case (true, false): sharing.device.allowOpenFromManagedToUnmanaged ? .allowed : .blocked
    case (false, true): sharing.device.allowOpenFromUnmanagedToManaged ? .allowed : .blocked
    case (true, true), (false, false): .allowed
    }
  }
}
