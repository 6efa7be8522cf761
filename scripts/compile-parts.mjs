import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { externalPackages } from './external-packages.mjs'
import { root } from './run.mjs'

const parts = {
  'workflow-thread': 'server/actions/workflow/thread/entry.ts',
  'text-thread': 'server/kernel/rendering/thread/entry.ts',
  'database-thread': 'db/embedded/thread/entry.ts',
  launcher: 'server/kernel/launcher/program.ts',
}

/**
 * Compiles the parts that run outside of the server's main thread into one file each: the thread that parses
 * workflows, whose dependencies Node.js can load only when bundled, the thread that renders files of repositories, the
 * embedded database, and the launcher. Also runs before tests, which need them even if nothing else was built.
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
  // A concurrent test can be loading the previous file, so it is replaced atomically.
  const partial = join(root, `dist/${name}.${process.pid}.partial`)
  for (const { contents } of outputFiles) await writeFile(partial, contents)
  await rename(partial, join(root, `dist/${name}.js`))
}
