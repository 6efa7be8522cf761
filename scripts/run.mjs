import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

process.env.NEXT_TELEMETRY_DISABLED = '1'

// Programs whose package has a different name.
const packages = { biome: '@biomejs/biome', playwright: '@playwright/test', tsc: 'typescript' }

/**
 * Runs a program from `node_modules`, or Node.js itself, and returns its exit code. Its output is passed
 * through or, with `quiet`, printed only if it fails.
 */
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

// Runs the program's own file, because not every system can run the links in `node_modules/.bin`.
function fileOf(name) {
  const home = join(root, 'node_modules', packages[name] ?? name)
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  return join(home, typeof bin === 'string' ? bin : bin[name])
}
