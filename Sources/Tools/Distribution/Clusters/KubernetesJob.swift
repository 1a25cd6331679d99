package import Simulation

/// A Kubernetes Indexed Job (`batch/v1`) with one pod for each shard.
package struct KubernetesJob: Sendable {
  private let command: ShardCommand
  /// The container image that contains Sluice.
  private let image: String
  /// The volume claim that all pods share. It contains the run's files and is mounted at `/work`.
  private let claim: String

  /// Creates the description of a job.
  ///
  /// - Throws: ``RunError`` if a name contains a control character.
  package init(
    _ command: ShardCommand, image: String, claim: String
  ) throws(RunError) {
    for name in [image, claim] { try ShardCommand.check(name) }
    self.command = command
    self.image = image
    self.claim = claim
  }

  package var manifest: String {
    let script = command.script(
      number: "$((JOB_COMPLETION_INDEX + 1))", folder: "\(JobFolder.all)/kubernetes-$JOB_NAME")
    let lines = Self.unexpanded(script).split(separator: "\n").map { "              \($0)\n" }
      .joined()
    return """
      apiVersion: batch/v1
      kind: Job
      metadata:
        generateName: sluice-
      spec:
        completionMode: Indexed
        completions: \(command.shards)
        parallelism: \(command.shards)
        backoffLimitPerIndex: 2
        template:
          spec:
            restartPolicy: Never
            containers:
              - name: shard
                image: \(Self.quoted(image))
                workingDir: /work
                env:
                  - name: JOB_NAME
                    valueFrom:
                      fieldRef:
                        fieldPath: metadata.labels['batch.kubernetes.io/job-name']
                command:
                  - /bin/sh
                  - -c
                  - |
      \(lines)          volumeMounts:
                  - name: work
                    mountPath: /work
            volumes:
              - name: work
                persistentVolumeClaim:
                  claimName: \(Self.quoted(claim))

      """
  }

  /// Escapes a text, so Kubernetes expands nothing in it. Kubernetes reads `$$` as `$`, and
  /// `$(NAME)` as a variable.
  private static func unexpanded(_ text: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      let isSpecial =
        byte == UInt8(ascii: "$") && [UInt8(ascii: "$"), UInt8(ascii: "(")].contains(next)
      result += isSpecial ? [byte, byte] : [byte]
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Quotes a YAML scalar with single quotes.
  private static func quoted(_ text: String) -> String {
    let inner = text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined()
    return "'\(inner)'"
  }
}
