import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { externalPackages } from './external-packages.mjs'
import { root } from './run.mjs'

/**
 * Compiles the thread that reads workflows into a file of its own, with all that only bundlers can load. Tests run it before
 * any of them, as they need it also where nothing else was built.
 */
export default async function compileThread() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['server/actions/workflow/thread/entry.ts'],
    outfile: 'dist/workflow-thread.js',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [externalPackages],
    write: false,
    logLevel: 'warning',
  })
  await mkdir(join(root, 'dist'), { recursive: true })
  // A test may be starting the one before.
  const partial = join(root, `dist/workflow-thread.${process.pid}.partial`)
  for (const { contents } of outputFiles) await writeFile(partial, contents)
  await rename(partial, join(root, 'dist/workflow-thread.js'))
}
