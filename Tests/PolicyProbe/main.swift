internal import Glibc
internal import Model
internal import SluiceKit

/// An app that makes every query to its policy when `probe:` is opened. It stores the answers in
/// the file `answers` of its container, one per line.
final class PolicyProbe: ApplicationDelegate {
  private var answers: [String] = []
  private var open = 0

  func application(_ application: Application, open url: String, from sender: String) {
    let account = application.policyManager.getUIPolicyAccountId()
    let policy = application.policy
    expect("notificationPolicy") { done in policy.notificationPolicy { done("\($0)") } }
    ask("isSaveToAllowed(oneDriveForBusiness, own)") {
      policy.isSaveToAllowed(for: .oneDriveForBusiness, accountId: account, completion: $0)
    }
    ask("isSaveToAllowed(oneDriveForBusiness, nil)") {
      policy.isSaveToAllowed(for: .oneDriveForBusiness, accountId: nil, completion: $0)
    }
    ask("isOpenFromAllowed(camera, nil)") {
      policy.isOpenFromAllowed(for: .camera, accountId: nil, completion: $0)
    }
    ask("isURLAllowed(zoomus)") { policy.isURLAllowed("zoomus:1", completion: $0) }
    ask("isURLAllowed(zoomus, known)") {
      policy.isURLAllowed("zoomus:1", isKnownManagedAppScheme: true, completion: $0)
    }
    ask("isUniversalLinkAllowed") {
      policy.isUniversalLinkAllowed("https://www.example.org/", completion: $0)
    }
    for mode in DocumentPickerMode.allCases {
      ask("isDocumentPickerAllowed(\(mode))") {
        policy.isDocumentPickerAllowed(mode, completion: $0)
      }
    }
    ask("isAppSharingAllowed", policy.isAppSharingAllowed)
    ask("isPrintingAllowed", policy.isPrintingAllowed)
    ask("isContactSyncAllowed", policy.isContactSyncAllowed)
    ask("isWidgetContentSyncAllowed", policy.isWidgetContentSyncAllowed)
    ask("isSpotlightIndexingAllowed", policy.isSpotlightIndexingAllowed)
    ask("areSiriIntentsAllowed", policy.areSiriIntentsAllowed)
    ask("areAppIntentsAllowed", policy.areAppIntentsAllowed)
    ask("isScreenCaptureAllowed", policy.isScreenCaptureAllowed)
    ask("isManagedBrowserRequired", policy.isManagedBrowserRequired)
    ask("isFileEncryptionRequired", policy.isFileEncryptionRequired)
    expect("getSaveToLocations") { done in
      policy.getSaveToLocations(forAccountId: account) { locations in
        done(locations.filter(\.value).keys.map(\.rawValue).sorted().joined(separator: " "))
      }
    }
  }

  func application(_ application: Application, didReceive item: ReceivedItem) {
    ask("canReceiveSharedFile") {
      application.policy.canReceiveSharedFile(item, completion: $0)
    }
  }

  private func ask(_ name: String, _ question: (@escaping (Bool) -> Void) -> Void) {
    expect(name) { done in question { done("\($0)") } }
  }

  private func expect(_ name: String, _ question: (@escaping (String) -> Void) -> Void) {
    open += 1
    question { [unowned self] answer in
      answers.append("\(name): \(answer)")
      open -= 1
      if open == 0 { write() }
    }
  }

  private func write() {
    let text = answers.joined(separator: "\n") + "\n"
    guard let file = fopen("answers.part", "w") else { return }
    fputs(text, file)
    fclose(file)
    rename("answers.part", "answers")
  }
}

try Application.connect(delegate: PolicyProbe()).run()
