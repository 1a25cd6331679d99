@testable import Distribution
import Testing

/// Lines of `scontrol --oneliner show job`.
@Suite struct SlurmTaskTests {
  private func task(_ fields: String) -> SlurmTask {
    SlurmTask(Substring("JobId=18 ArrayJobId=17 \(fields) UserId=root(0) GroupId=root(0)"))
  }

  @Test(arguments: [
    ("ArrayTaskId=3", [3]), ("ArrayTaskId=2-4", [2, 3, 4]),
    ("ArrayTaskId=1,3-5,9%2", [1, 3, 4, 5, 9]),
    ("Priority=4", []), ("ArrayTaskId=N/A", []), ("ArrayTaskId=5-2", []),
  ])
  func `a line is of one task, or of several that wait`(fields: String, numbers: [Int]) {
    #expect(task(fields).numbers == numbers)
  }

  @Test(arguments: [
    ("JobState=PENDING Reason=Resources", ShardState.waiting("Resources")),
    ("JobState=PENDING Reason=None", .waiting("pending")),
    ("JobState=CONFIGURING Reason=None NodeList=node1", .waiting("configuring")),
    ("JobState=RUNNING Reason=None NodeList=node2", .running("node2")),
    ("JobState=COMPLETING Reason=None NodeList=node2", .running("node2")),
    ("JobState=COMPLETED Reason=None NodeList=node2 ExitCode=0:0", .ended("on node2")),
    (
      "JobState=FAILED Reason=NonZeroExitCode NodeList=node3 ExitCode=2:0",
      .ended("with status 2 on node3")
    ),
    (
      "JobState=FAILED Reason=JobLaunchFailure NodeList=node3 ExitCode=0:9",
      .ended("by signal 9 on node3")
    ),
    (
      "JobState=FAILED Reason=JobLaunchFailure NodeList=node3 ExitCode=0:53",
      .ended("before it began on node3")
    ),
    (
      "JobState=CANCELLED Reason=Resources NodeList=(null) ExitCode=0:0",
      .ended("cancelled on no node")
    ),
    ("JobState=PENDING Reason=BeginTime NodeList= ExitCode=0:0", .waiting("BeginTime")),
    ("JobState=CANCELLED Reason=None NodeList=node3 ExitCode=0:15", .ended("cancelled on node3")),
    ("JobState=OUT_OF_MEMORY Reason=None NodeList=node3", .ended("out_of_memory on node3")),
    (
      "JobState=PENDING Reason=launch_failed_requeued_held",
      .ended("before it began: Slurm holds it (launch_failed_requeued_held)")
    ),
    (
      "JobState=PENDING Reason=JobHeldAdmin",
      .ended("before it began: Slurm holds it (JobHeldAdmin)")
    ),
  ])
  func `a task is in a state`(fields: String, state: ShardState) {
    #expect(task(fields).state == state)
  }
}
