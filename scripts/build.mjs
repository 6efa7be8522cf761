import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, stop } from 'esbuild'
import { unlessBuilt } from './build-stamp.mjs'
import compileParts from './compile-parts.mjs'
import { externalPackages } from './external-packages.mjs'
import { mergeStylesheets } from './merge-styles.mjs'
import { phase } from './phase.mjs'
import { root, run } from './run.mjs'
import { shortenNames } from './shorten-names.mjs'

const sources = [
  'app',
  'db',
  'public',
  'server',
  'scripts/build.mjs',
  'scripts/compile-parts.mjs',
  'scripts/external-packages.mjs',
  'scripts/merge-styles.mjs',
  'scripts/shorten-names.mjs',
  'next.config.mjs',
  'proxy.ts',
  'package-lock.json',
  'tsconfig.json',
]

/**
 * Compiles the server into `dist` and the pages into `.next`, each only if it was not built from the current
 * sources.
 */
export async function buildIfNeeded() {
  await buildServer()
  await unlessBuilt(join(root, '.next'), await digestOfSources(), async () => {
    const code = await phase('Compiling the pages (takes a minute or two after a change)', () =>
      run('next', ['build'], { quiet: true, env: { NODE_ENV: 'production' } }),
    )
    if (code !== 0) process.exit(code)
    await phase('Merging the stylesheets', () => mergeStylesheets(join(root, '.next')))
    await phase('Shortening names', () => shortenNames(join(root, '.next')))
  })
}

/**
 * Compiles only the server into `dist`, if it was not built from the current sources. The server, its
 * commands and its SSH programs share their common code.
 */
export async function buildServer() {
  await unlessBuilt(join(root, 'dist'), await digestOfSources(), () =>
    phase('Compiling the server', compileServer),
  )
  // The compiler would stay in memory beside a server that is started afterward.
  await stop()
}

async function compileServer() {
  await mkdir(join(root, 'dist'), { recursive: true })
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'server/main.ts',
      command: 'server/commands/main.ts',
      'ssh-keys': 'server/ssh/openssh/keys-command.ts',
      'ssh-session': 'server/ssh/openssh/session-command.ts',
    },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [externalPackages],
    sourcemap: true,
    logLevel: 'warning',
  })
  await compileParts()
  await copyFile(join(root, 'server/kernel/storage/disk/hash-worker.mjs'), join(root, 'dist/hash-worker.mjs'))
}

async function digestOfSources() {
  const hash = createHash('sha256')
  for (const source of sources) await addTo(hash, join(root, source))
  return hash.digest('hex')
}

async function addTo(hash, path) {
  const facts = await stat(path).catch(() => undefined)
  if (!facts) return
  if (facts.isDirectory()) {
    if (basename(path) === 'testing') return
    for (const name of (await readdir(path)).sort()) await addTo(hash, join(path, name))
    return
  }
  if (/\.test\.tsx?$/.test(path)) return
  hash.update(`${path.slice(root.length)}\0`).update(await readFile(path))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildIfNeeded()
