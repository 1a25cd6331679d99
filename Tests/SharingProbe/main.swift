internal import SluiceKit

// An app that shares, and the extension that receives; started by LoadingTests.
try Application.connect(delegate: SharingProbe()).run()
