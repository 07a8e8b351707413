#!/bin/sh
# Compares a preview with production before a deploy, anywhere: PRODUCTION and PREVIEW are their addresses. It ends with 0 if the
# deploy may go on, with 1 if somebody has to look at the report first, and with 2 if nothing can be told.
set -u

afterimage compare "$PRODUCTION" "$PREVIEW" --report "${REPORT:-afterimage-report}" "$@"
code=$?
case $code in
  0) echo "No change that somebody has to look at: deploy." ;;
  1) echo "There are changes: see ${REPORT:-afterimage-report}/index.html." ;;
  *) echo "The comparison could not be made." ;;
esac
exit $code
