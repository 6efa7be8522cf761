import { expect, it } from 'vitest'
import { replacedTermsIn } from './check-terms.mjs'

it.each([
  ['server/departures/take.ts', '', 'file or folder "departures"; preferred: removal or removal target'],
  ['server/jobs/at-once.ts', '', 'file or folder "at-once"; preferred: concurrency, concurrent or batch'],
  ['server/a.ts', 'const toldAt = 1', 'name "toldAt"; preferred: notify, send, publish or report'],
  [
    'server/a.ts',
    'interface HandedTask { id: number }',
    'name "HandedTask"; preferred: start, finish or assign',
  ],
  ['app/a.tsx', 'const { chosen } = list', 'name "chosen"; preferred: selected'],
  [
    'server/a.ts',
    'const counts = { is_taken: 1 }',
    'name "is_taken"; preferred: in use, claimed or received',
  ],
])('replacedTermsIn reports the discouraged term in file %s with the content “%s”', (path, text, found) => {
  expect(replacedTermsIn(path, text)).toEqual([`${path}: discouraged term in the ${found}`])
})

it.each([
  ['server/releases/replace.ts', 'const replaced = place.of(displaced)'],
  ['server/a.ts', "const path = '/places/given' // what was chosen"],
  ['server/audit/schema.ts', 'const EventFilter = z.object({ place: name })'],
])(
  'replacedTermsIn ignores similar words, strings, comments, names declared elsewhere, and allowed uses: %s',
  (path, text) => {
    expect(replacedTermsIn(path, text)).toEqual([])
  },
)
