import { run } from './run.mjs'

// The types of routes and CSS modules are generated, so a fresh clone does not have them.
const prepared = await run('next', ['typegen'], { quiet: true })
if (prepared !== 0) process.exit(prepared)

const checks = [
  ['format and lint', 'biome', ['ci', '--error-on-warnings', '--colors=off', '.']],
  ['types', 'tsc', ['--noEmit']],
  ['import directions', 'node', ['scripts/check-imports.mjs']],
  ['standard terms', 'node', ['scripts/check-terms.mjs']],
  ['unused code', 'knip', ['--no-progress']],
]
let failed = 0
const queue = [...checks]
const worker = async () => {
  for (let check = queue.shift(); check; check = queue.shift()) {
    const [title, name, args] = check
    const code = await run(name, args, { quiet: true })
    process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${title}\n`)
    if (code !== 0) failed++
  }
}
await Promise.all([worker(), worker()])
process.exit(failed > 0 ? 1 : 0)
