import TestSupport
import Testing

/// Tests that start processes.
@Suite(.ownThreads) struct RealProcesses {}
