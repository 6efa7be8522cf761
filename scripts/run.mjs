import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

process.env.NEXT_TELEMETRY_DISABLED = '1'

// Programs that are not called as their package is.
const packages = { biome: '@biomejs/biome', playwright: '@playwright/test', tsc: 'typescript' }

/** Runs a program of node_modules, or node itself, with our output; resolves to its exit code. */
export function run(name, args, { env = {}, quiet = false } = {}) {
  const program = name === 'node' ? [] : [fileOf(name)]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...program, ...args], {
      cwd: root,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, ...env },
    })
    const output = []
    child.stdout?.on('data', chunk => output.push(chunk))
    child.stderr?.on('data', chunk => output.push(chunk))
    child.once('error', reject)
    child.once('close', code => {
      if (quiet && code !== 0) process.stderr.write(Buffer.concat(output))
      resolve(code ?? 1)
    })
  })
}

// Its own file rather than the link in node_modules/.bin, which not every system can run.
function fileOf(name) {
  const home = join(root, 'node_modules', packages[name] ?? name)
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  return join(home, typeof bin === 'string' ? bin : bin[name])
}
