import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { externalPackages } from './external-packages.mjs'
import { root } from './run.mjs'

const parts = {
  'workflow-thread': 'server/actions/workflow/thread/entry.ts',
  launcher: 'server/kernel/launcher/program.ts',
}

/**
 * Compiles what runs beside the server each into a file of its own: the thread that reads workflows, with all that only
 * bundlers can load, and the launcher. Tests run it before any of them, as they need these also where nothing else was built.
 */
export default async function compileParts() {
  await mkdir(join(root, 'dist'), { recursive: true })
  await Promise.all(Object.entries(parts).map(([name, source]) => compile(name, source)))
}

async function compile(name, source) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile: `dist/${name}.js`,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [externalPackages],
    write: false,
    logLevel: 'warning',
  })
  // A test may be starting the one before.
  const partial = join(root, `dist/${name}.${process.pid}.partial`)
  for (const { contents } of outputFiles) await writeFile(partial, contents)
  await rename(partial, join(root, `dist/${name}.js`))
}
