import Testing

/// Tests that start processes.
@Suite struct RealProcesses {}
