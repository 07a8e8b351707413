#!/usr/bin/env bash
# Runs the comparison for action.yml. Its inputs come as environment variables, so that none is ever part of a script.
set -euo pipefail

flags=(--report "$REPORT")
while IFS= read -r line; do
  if [ -n "$line" ]; then flags+=("$line"); fi
done <<<"${ARGUMENTS:-}"

sites=()
for site in "${BEFORE:-}" "${AFTER:-}"; do
  if [ -n "$site" ]; then sites+=("$site"); fi
done

code=0
afterimage compare "${flags[@]}" -- "${sites[@]}" || code=$?
{
  echo "exit-code=$code"
  echo "report=$REPORT"
} >>"$GITHUB_OUTPUT"
exit "$code"
