import TestSupport
import Testing

/// Tests that start processes.
@Suite(.alone) struct RealProcesses {}
