internal import SluiceKit

// This program is an app that shares, and the extension that receives. LoadingTests starts it.
try Application.connect(delegate: SharingProbe()).run()
