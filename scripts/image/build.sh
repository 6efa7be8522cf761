#!/bin/sh
# Builds the product and copies what it needs at run time to the folder $1.
set -eu
export NEXT_TELEMETRY_DISABLED=1 PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
npm ci --no-audit --no-fund
node scripts/assemble.mjs "$1"
# Caches would stay in the layer of the build stage.
rm -rf "$HOME/.npm"
