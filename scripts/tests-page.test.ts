import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './run.mjs'
import { describeTimes } from './test-times.mjs'
import { readTestsPage } from './tests-page.mjs'

it('docs/tests.md names every test with a long form, and nothing else', async () => {
  const { slow } = await readTestsPage()
  expect(slow.sort()).toEqual((await filesWithLongForm()).sort())
})

// Tests of storage share theirs.
const longForm = /tags?: '@?(?:series|slow)'|@module-tag (?:series|slow)|describeStorage\(/

async function filesWithLongForm(): Promise<string[]> {
  const found: string[] = []
  for (const folder of ['app', 'db', 'e2e', 'proto', 'scripts', 'server', 'testing']) {
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      const path = `${folder}/${name}`
      if (!/\.(?:test|spec)\.tsx?$/.test(name) || path === 'scripts/tests-page.test.ts') continue
      if (longForm.test(await readFile(join(root, path), 'utf8'))) found.push(path)
    }
  }
  return found
}

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
    'minutes of the files of each lane:',
    '    1.6  unit',
    '    1.0  browser',
    'minutes of each folder:',
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
