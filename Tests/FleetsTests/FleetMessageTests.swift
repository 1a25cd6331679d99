import Testing

@testable import Fleets

@Suite struct FleetMessageTests {}
