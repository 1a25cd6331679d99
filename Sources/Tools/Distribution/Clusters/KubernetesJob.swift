package import Simulation

/// An Indexed Job of Kubernetes (`batch/v1`), a pod for each shard.
package struct KubernetesJob: Sendable {
  private let command: ShardCommand
  /// The image that has Sluice.
  private let image: String
  /// The claim of the volume that all pods share, with the run's files; it is mounted at `/work`.
  private let claim: String

  /// - Throws: ``RunError`` where a name has a control character.
  package init(
    _ command: ShardCommand, image: String, claim: String
  ) throws(RunError) {
    for name in [image, claim] { try ShardCommand.check(name) }
    self.command = command
    self.image = image
    self.claim = claim
  }

  /// The manifest, as YAML.
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

  /// The text in which Kubernetes replaces nothing: it takes `$$` for `$`, and `$(NAME)` for a variable.
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

  /// A scalar of YAML, in single quotes.
  private static func quoted(_ text: String) -> String {
    let inner = text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined()
    return "'\(inner)'"
  }
}
