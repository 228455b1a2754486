#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Gradescope runs this once, when the autograder's image is built.
set -e
cd "$(dirname "$0")"
exec platforms/setup.sh "$(cat homework)"
