#!/bin/sh
# Fetches public page templates and application shells of others from the package registry into a folder, for
# TestEveryTextIsShownOrTold: AFTERIMAGE_TEMPLATES=FOLDER go test -run EveryText ./capture/reach
set -eu
folder=${1:?"usage: templates.sh FOLDER"}
mkdir -p "$folder"
cd "$folder"
for package in @adminkit/core@3.5.0 admin-lte@4.9.1 gentelella@4.2.0 material-dashboard@3.1.0 material-kit@2.0.4 \
  sneat-bootstrap-html-admin-template-free@1.0.0 soft-ui-dashboard@1.0.1 startbootstrap-creative@7.0.7 startbootstrap-resume@7.0.6 \
  startbootstrap-sb-admin@7.0.7 startbootstrap-simple-sidebar@6.0.6 html5-boilerplate@9.0.1 impress.js@1.1.0 reveal.js@6.0.2 \
  fullpage.js@4.0.41 docsify@5.0.0 swagger-ui-dist@5.35.0 equation-admin-template@1.0.0; do
  name=$(echo "$package" | sed 's/@[0-9][^@]*$//; s/[@\/]/_/g')
  [ -d "$name" ] || { archive=$(npm pack --silent "$package"); mkdir "$name"; tar -xzf "$archive" -C "$name" --strip-components=1; rm "$archive"; }
done
# Whole pages only, and at most twelve of a package.
find . -name '*.html' -size +1k ! -path '*/node_modules/*' ! -path '*/src/*' ! -path '*/test*' ! -path '*/partials/*' | sed 's|^\./||' | sort |
  awk -F/ 'count[$1]++ < 12' > pages.txt
wc -l < pages.txt
