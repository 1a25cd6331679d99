#!/usr/bin/env bash
# Runs shards on a Slurm cluster of four nodes and on ssh hosts, all on this machine and started by the tests. Validates the
# manifest for Kubernetes against the API's schema (kubernetes-validate, PyPI). Needs root and a built `bin/sluice`.
# Usage: scripts/test-cluster.sh [TEST]…
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh slurm-wlm munge libfaketime openssh-client openssh-server parallel iproute2 rsync
environment=$(scripts/python-environment.sh cluster 'kubernetes-validate>=1.31,<2' 'pyyaml>=6,<7')
cd Tests/Cluster
if (($#)); then
  exec "$environment/bin/python" -m unittest -v "$@"
fi
exec "$environment/bin/python" -m unittest discover -v
