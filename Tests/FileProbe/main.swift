internal import SluiceKit

// This app uses all of SluiceKit's file functions and verifies their results. FileProbeTests starts
// it.
try Application.connect(delegate: FileProbe()).run()
