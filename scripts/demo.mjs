// Starts a site of its own, lets a job run in it, and leaves it running to look at.
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { build } from 'esbuild'
import { installArtifactClients } from '../testing/artifact-clients/install.mjs'
import { buildIfNeeded } from './build.mjs'
import { externalPackages } from './external-packages.mjs'
import { phase } from './phase.mjs'
import { root } from './run.mjs'

// The helpers find the files beside them by their own place, which is not that of the bundle.
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
const clients = await phase('Installing the client of artifacts, once', installArtifactClients)
if (!clients) {
  console.error('The packages of @actions/artifact could not be installed. Is the npm registry reachable?')
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
