import TestSupport
import Testing

/// Contains the tests that start processes.
@Suite(.ownThreads) struct RealProcesses {}
