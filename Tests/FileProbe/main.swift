internal import SluiceKit

// Works on files with everything that SluiceKit offers for them, and compares; started by FileProbeTests.
try Application.connect(delegate: FileProbe()).run()
