internal import SluiceKit

// An app that shares, and the extension that it shares with; started by LoadingTests.
try Application.connect(delegate: SharingProbe()).run()
