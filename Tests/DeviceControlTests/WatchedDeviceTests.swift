import DeviceControl
import TestSupport
import Testing

/// Tests the folders that name a device.
struct WatchedDeviceTests {
  @Test(arguments: [
    (["journal.jsonl"], "journal.jsonl"),
    (["device/journal.jsonl"], "device/journal.jsonl"),
    (["device/journal.jsonl", "notes.txt"], "device/journal.jsonl"),
    (["journal.jsonl", "device/journal.jsonl"], "journal.jsonl"),
    // Two devices, and the case of a run.
    (["anna/journal.jsonl", "ben/journal.jsonl"], "journal.jsonl"),
    (["1/journal.jsonl"], "journal.jsonl"),
    ([], "journal.jsonl"),
  ])
  func `watching a folder with a single device reads that device's journal`(
    files: [String], journal: String
  )
    throws
  {
    let folder = try Workspace()
    for file in files { try folder.write("", to: file) }
    #expect(try WatchedDevice(folder.path).journal == folder.path(journal))
  }
}
