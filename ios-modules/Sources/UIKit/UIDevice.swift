internal import AppProcess
public import Foundation
internal import SluiceKit

/// The simulated iPhone.
@preconcurrency @MainActor open class UIDevice: NSObject {
  public static let current = UIDevice()

  /// The device's name in the scenario.
  open var name: String { AppProcess.current.read { $0.deviceIdentifier } }
  open var systemName: String { "iOS" }
  open var systemVersion: String { "18.0" }
  open var model: String { "iPhone" }
  open var localizedModel: String { "iPhone" }
  open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
  /// The vendor identifier. It is the same in all runs. Apps on one device share it if their bundle
  /// ids differ only in the last part.
  open var identifierForVendor: UUID? {
    VendorIdentifier.of(app: AppProcess.current.bundleIdentifier, device: name)
  }
}
