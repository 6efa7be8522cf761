import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Child {
  process: ChildProcess
  /** Returns the next line that the process prints; undefined once it has ended. */
  line(): Promise<string | undefined>
  ended(): Promise<{ code: number | null; errors: string }>
}

export interface Script {
  start(args?: string[], options?: { env?: Record<string, string>; cwd?: string }): Child
  remove(): Promise<void>
}

/**
 * Compiles a TypeScript program, with imports relative to the repository, so that tests can run it in
 * separate processes.
 */
export async function compileScript(source: string): Promise<Script> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-script-'))
  const outfile = join(directory, 'script.mjs')
  for (const needed of ['node_modules', 'dist/database-thread.js'])
    await symlink(join(root, needed), join(directory, basename(needed)))
  await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    alias: { '@': root },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'silent',
  })
  return {
    // `--liftoff-only` skips WebAssembly optimization, which does not pay off in programs this short.
    start: (args = [], options = {}) => startChild(['--liftoff-only', outfile, ...args], options),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

function startChild(args: string[], options: { env?: Record<string, string>; cwd?: string }): Child {
  const child = spawn(process.execPath, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', text => {
    errors += text
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const end = once(child, 'close')
  return {
    process: child,
    line: async () => (await lines.next()).value,
    ended: async () => {
      const [code] = await end
      return { code, errors }
    },
  }
}
