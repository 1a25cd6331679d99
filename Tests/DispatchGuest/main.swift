internal import SluiceKit

try Application.connect(delegate: DispatchGuest()).run()
