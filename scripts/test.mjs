import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programs } from '../testing/programs.mjs'
import { buildIfNeeded } from './build.mjs'
import { findMissing } from './find-missing.mjs'
import { root, run } from './run.mjs'

const { missing, lines, fails } = await findMissing(programs, { required: Boolean(process.env.CI) })
for (const line of lines) process.stderr.write(`${line}\n`)
if (fails) process.exit(1)

const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=dist/tests.json']
const steps = [
  ['verify', () => run('node', ['scripts/verify.mjs'])],
  ['build', () => buildIfNeeded().then(() => 0)],
  ['tests', () => run('vitest', ['run', ...reporters])],
  // Without a browser its tests are listed alone, so that the report counts them as skipped.
  missing.has('Chromium')
    ? ['browser (skipped)', () => run('playwright', ['test', '--list'], { quiet: true })]
    : ['browser', () => run('playwright', ['test'])],
]

for (const [name, step] of steps) {
  process.stdout.write(`\n--- ${name}\n`)
  const code = await step()
  if (code !== 0) {
    process.stderr.write(`\n${name} failed\n`)
    process.exit(code)
  }
}
const [vitest, browser] = await Promise.all(['dist/tests.json', 'dist/browser.json'].map(readReport))
const passed = vitest.numPassedTests + browser.stats.expected
const skipped = vitest.numPendingTests + browser.stats.skipped
for (const line of lines) process.stdout.write(`\n${line}`)
process.stdout.write(`\n${passed} passed, 0 failed, ${skipped} skipped\n`)

async function readReport(path) {
  return JSON.parse(await readFile(join(root, path), 'utf8'))
}
