// The names of notifications about the browser. They are never posted: there is none.

public let MSALWebAuthDidStartLoadNotification: String! = "MSALWebAuthDidStartLoadNotification"
public let MSALWebAuthDidFinishLoadNotification: String! = "MSALWebAuthDidFinishLoadNotification"
public let MSALWebAuthDidFailNotification: String! = "MSALWebAuthDidFailNotification"
public let MSALWebAuthDidCompleteNotification: String! = "MSALWebAuthDidCompleteNotification"
public let MSALWebAuthWillSwitchToBrokerApp: String! = "MSALWebAuthWillSwitchToBrokerApp"
public let MSALWebAuthDidReceiveResponseFromBroker: String! =
  "MSALWebAuthDidReceiveResponseFromBroker"
