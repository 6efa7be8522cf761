import { expect, it } from 'vitest'
import { describeTimes } from './test-times.mjs'
import { readTestsPage, testFilesWith } from './tests-page.mjs'

it('docs/tests.md lists every test file that npm run test:slow runs, and no other', async () => {
  const { slow } = await readTestsPage()
  // The tests in `describeStorage` have a tag that its definition sets.
  const tagged = /tags?: \[?'@?(?:series|slow)'|@module-tag (?:series|slow)|describeStorage\(/
  expect(slow.sort()).toEqual((await testFilesWith(tagged)).sort())
})

it('every test file that uses series() has a tag, without which its long form would never run', async () => {
  const { slow } = await readTestsPage()
  const sized = await testFilesWith(/\bseries\(/)
  expect(sized.filter(file => !slow.includes(file))).toEqual([])
})

it('describeTimes reports the times by test project and by folder, the slowest files, and the folders over budget', () => {
  const times = [
    { lane: 'unit', file: 'db/embedded/open.test.ts', ms: 90_000 },
    { lane: 'unit', file: 'db/client.test.ts', ms: 6_000 },
    { lane: 'browser', file: 'e2e/ui/keys.spec.ts', ms: 60_000 },
  ]
  const budgets = [
    { folder: 'db/embedded', seconds: 30 },
    { folder: 'db', seconds: 30 },
  ]
  expect(describeTimes(times, budgets).split('\n')).toEqual([
    'Minutes per test project, summed over its files:',
    '    1.6  unit',
    '    1.0  browser',
    'Minutes per folder, summed over its files:',
    '    1.5  db/embedded',
    '    1.0  e2e',
    '    0.1  db',
    'Slowest files, in seconds:',
    '   90.0  db/embedded/open.test.ts (unit)',
    '   60.0  e2e/ui/keys.spec.ts (browser)',
    '    6.0  db/client.test.ts (unit)',
    'db/embedded took 90 s, which exceeds its budget of 30 s in docs/tests.md',
  ])
})
