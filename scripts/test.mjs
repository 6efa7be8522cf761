import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildIfNeeded } from './build.mjs'
import { root, run } from './run.mjs'

const steps = [
  ['verify', () => run('node', ['scripts/verify.mjs'])],
  ['build', () => buildIfNeeded().then(() => 0)],
  [
    'tests',
    () =>
      run('vitest', ['run', '--reporter=default', '--reporter=json', '--outputFile.json=dist/tests.json']),
  ],
  ['browser', () => run('playwright', ['test'])],
]

for (const [name, step] of steps) {
  process.stdout.write(`\n--- ${name}\n`)
  const code = await step()
  if (code !== 0) {
    process.stderr.write(`\n${name} failed\n`)
    process.exit(code)
  }
}
const [unit, browser] = await Promise.all(['dist/tests.json', 'dist/browser.json'].map(readReport))
const passed = unit.numPassedTests + browser.stats.expected
const skipped = unit.numPendingTests + browser.stats.skipped
process.stdout.write(`\n${passed} passed, 0 failed, ${skipped} skipped\n`)

async function readReport(path) {
  return JSON.parse(await readFile(join(root, path), 'utf8'))
}
