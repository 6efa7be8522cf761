import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programs } from '../testing/programs.mjs'
import { buildIfNeeded } from './build.mjs'
import { findMissing } from './find-missing.mjs'
import { root, run } from './run.mjs'
import { browserTimes, describeTimes } from './test-times.mjs'
import { readTestsPage } from './tests-page.mjs'

// Implements `npm test` and, with the option --slow, `npm run test:slow`.
const isSlow = process.argv.includes('--slow')

const used = programs.filter(({ slow = false }) => isSlow || !slow)
const { missing, lines, fails } = await findMissing(used, { required: Boolean(process.env.CI) })
for (const line of lines) process.stderr.write(`${line}\n`)
if (fails) process.exit(1)

const { budgets } = await readTestsPage()
const env = isSlow ? { GUILDHALL_TEST_SLOW: '1' } : {}
const reporters = ['default', 'json', './testing/times-reporter.mjs'].map(name => `--reporter=${name}`)
const tags = isSlow ? ['--tags-filter=series or slow or embedded or current-node'] : []
const vitest = ['run', ...tags, ...reporters, '--outputFile.json=dist/tests.json']

const steps = [
  ...(isSlow ? [] : [['verify', () => run('node', ['scripts/verify.mjs'])]]),
  ['build', () => buildIfNeeded().then(() => 0)],
  ['tests', () => run('vitest', vitest, { env })],
  // Without a browser, its tests are only listed, so that the report counts them as skipped.
  missing.has('Chromium')
    ? ['browser (skipped)', () => run('playwright', ['test', '--list'], { quiet: true, env })]
    : ['browser', () => run('playwright', ['test'], { env })],
]

const took = []
for (const [name, step] of steps) {
  process.stdout.write(`\n--- ${name}\n`)
  const began = Date.now()
  const code = await step()
  if (code !== 0) {
    process.stderr.write(`\n${name} failed\n`)
    process.exit(code)
  }
  took.push(`${name} ${((Date.now() - began) / 60_000).toFixed(1)}`)
}
const [tests, browser, times] = await Promise.all(
  ['dist/tests.json', 'dist/browser.json', 'dist/times.json'].map(readReport),
)
const passed = tests.numPassedTests + browser.stats.expected
const skipped =
  tests.testResults.flatMap(file => file.assertionResults).filter(isSkipped).length + browser.stats.skipped
process.stdout.write(`\n${describeTimes([...times, ...browserTimes(browser)], isSlow ? [] : budgets)}\n`)
process.stdout.write(`Minutes per step: ${took.join(', ')}\n`)
for (const line of lines) process.stdout.write(`\n${line}`)
process.stdout.write(`\n${passed} passed, 0 failed, ${skipped} skipped\n`)

// Tests that only the other command runs are not counted as skipped.
function isSkipped({ status, tags }) {
  return status === 'skipped' && (isSlow ? tags.length > 0 : !tags.includes('slow'))
}

async function readReport(path) {
  return JSON.parse(await readFile(join(root, path), 'utf8'))
}
