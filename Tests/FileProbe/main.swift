internal import SluiceKit

// Uses all of SluiceKit's file functions and verifies their results; started by FileProbeTests.
try Application.connect(delegate: FileProbe()).run()
