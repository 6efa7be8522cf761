import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

process.env.NEXT_TELEMETRY_DISABLED = '1'

/** Runs a program of node_modules, or node itself, with our output; resolves to its exit code. */
export function run(name, args, { env = {}, quiet = false } = {}) {
  const command = name === 'node' ? process.execPath : `${root}node_modules/.bin/${name}`
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
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
