#!/usr/bin/env bash
# page_lint.sh COLOURS STYLE MARKUP SCRIPT...: page_lint.js, where there is ESLint; status 77 (skipped) where not.
set -euo pipefail

export NODE_PATH="${NODE_PATH:+$NODE_PATH:}/usr/share/nodejs:/usr/lib/node_modules:/usr/local/lib/node_modules"
if ! node -e 'require("eslint")' >/dev/null 2>&1; then
  echo "ESLint is not installed, so the pages' files were not checked; scripts/setup.sh page installs it"
  exit 77
fi
node "$(dirname "${BASH_SOURCE[0]}")/page_lint.js" "$@"
