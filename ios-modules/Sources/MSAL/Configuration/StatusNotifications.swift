// Names of notifications about the sign-in browser. They are never posted, because there is no
// browser.

public let MSALWebAuthDidStartLoadNotification: String! = "MSALWebAuthDidStartLoadNotification"
public let MSALWebAuthDidFinishLoadNotification: String! = "MSALWebAuthDidFinishLoadNotification"
public let MSALWebAuthDidFailNotification: String! = "MSALWebAuthDidFailNotification"
public let MSALWebAuthDidCompleteNotification: String! = "MSALWebAuthDidCompleteNotification"
public let MSALWebAuthWillSwitchToBrokerApp: String! = "MSALWebAuthWillSwitchToBrokerApp"
public let MSALWebAuthDidReceiveResponseFromBroker: String! =
  "MSALWebAuthDidReceiveResponseFromBroker"
