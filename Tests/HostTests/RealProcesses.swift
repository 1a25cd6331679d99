import TestSupport
import Testing

/// Tests that start processes and count what is left of them: one at a time.
@Suite(.alone, .serialized) struct RealProcesses {}
