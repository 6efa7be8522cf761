import { expect, it } from 'vitest'
import { describeTimes } from './test-times.mjs'
import { readTestsPage, testFilesWith } from './tests-page.mjs'

it('docs/tests.md names every test with a long form, and nothing else', async () => {
  const { slow } = await readTestsPage()
  // Tests of storage share theirs.
  const tagged = /tags?: '@?(?:series|slow)'|@module-tag (?:series|slow)|describeStorage\(/
  expect(slow.sort()).toEqual((await testFilesWith(tagged)).sort())
})

it('what takes its size from a series has a tag, without which its long form would never run', async () => {
  const { slow } = await readTestsPage()
  const sized = await testFilesWith(/\bseries\(/)
  expect(sized.filter(file => !slow.includes(file))).toEqual([])
})

it('a run is described by lane and folder, with its slowest files and what is over its budget', () => {
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
    'minutes of each lane, all files added up:',
    '    1.6  unit',
    '    1.0  browser',
    'minutes of each folder, all files added up:',
    '    1.5  db/embedded',
    '    1.0  e2e',
    '    0.1  db',
    'the slowest files, in seconds:',
    '   90.0  db/embedded/open.test.ts (unit)',
    '   60.0  e2e/ui/keys.spec.ts (browser)',
    '    6.0  db/client.test.ts (unit)',
    'db/embedded is over its budget of 30 s in docs/tests.md: 90 s',
  ])
})
