// Starts a demo site of its own, runs a job in it, and leaves it running, so that you can look around.
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { build } from 'esbuild'
import { installArtifactClients } from '../testing/artifact-clients/install.mjs'
import { buildIfNeeded } from './build.mjs'
import { externalPackages } from './external-packages.mjs'
import { phase } from './phase.mjs'
import { root } from './run.mjs'

// Test helpers locate files by `import.meta.dirname`, which would be the directory of the bundle. It is
// replaced by the directory of the source file.
const keepDirectories = {
  name: 'keep directories',
  setup({ onLoad }) {
    onLoad({ filter: /\/testing\/.+\.(ts|mjs)$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text.replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
}

await buildIfNeeded()
const clients = await phase(
  'Installing GitHub’s artifact clients (only the first time)',
  installArtifactClients,
)
if (!clients) {
  console.error(
    'GitHub’s artifact clients (@actions/artifact) could not be installed. Check that the npm registry is reachable.',
  )
  process.exit(1)
}
await build({
  absWorkingDir: root,
  entryPoints: { demo: 'e2e/scenario/demo.ts' },
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  plugins: [externalPackages, keepDirectories],
})
process.chdir(root)
await import('../dist/demo.js')
