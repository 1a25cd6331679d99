import CoreServices
import ManagedApp
import SwiftUI
import os

// Code that only holds data compiles unchanged.

private let log = Logger(subsystem: "org.example.own", category: "surface")

@Observable final class Selection { var account = "" }

final class Mailboxes: ObservableObject { @Published var names: [String] = [] }

struct Settings: Decodable { var server: String }

final class Form: UIViewController {
  @IBOutlet weak var send: UIButton!
  @IBOutlet weak var hint: UILabel!
  @IBOutlet weak var address: UITextField!
}

@MainActor enum Surface {
  static func begin() {
    let scene = UIApplication.shared.connectedScenes.first as? UIWindowScene
    log.info("window scene \(scene != nil, privacy: .public)")
    os_log("type %{public}@", kUTTypePDF)
    let settings = Bundle.main.object(forInfoDictionaryKey: "IntuneMAMSettings") as? [String: Any]
    log.info("redirect \(settings?["ADALRedirectUri"] as? String ?? "none")")
    Task {
      let provider = ManagedAppConfigurationProvider()
      for await configuration in await provider.configurations(Settings.self) {
        log.notice("managed server \(configuration?.server ?? "none")")
      }
    }
    Task {
      let name = UIApplication.didBecomeActiveNotification
      for await notification in NotificationCenter.default.notifications(named: name) {
        log.debug("\(notification.name.rawValue)")
      }
    }
  }
}
