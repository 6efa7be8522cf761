import { expect, it } from 'vitest'
import { replacedTermsIn } from './check-terms.mjs'

it.each([
  ['server/departures/take.ts', '', 'file or folder "departures": say removal, or removal target'],
  ['server/jobs/at-once.ts', '', 'file or folder "at-once": say concurrency, concurrent or batch'],
  ['server/a.ts', 'const toldAt = 1', 'name "toldAt": say notify, send, publish or report'],
  ['server/a.ts', 'interface HandedTask { id: number }', 'name "HandedTask": say start, finish or assign'],
  ['app/a.tsx', 'const { chosen } = list', 'name "chosen": say selected'],
  ['server/a.ts', 'const counts = { is_taken: 1 }', 'name "is_taken": say in use, claimed or received'],
])('a name that was replaced is found in %s: %s', (path, text, found) => {
  expect(replacedTermsIn(path, text)).toEqual([`${path}: ${found}`])
})

it.each([
  ['server/releases/replace.ts', 'const replaced = place.of(displaced)'],
  ['server/a.ts', "const path = '/places/given' // what was chosen"],
  ['server/audit/schema.ts', 'const EventFilter = z.object({ place: name })'],
])('other words, texts and what is declared elsewhere are left alone: %s', (path, text) => {
  expect(replacedTermsIn(path, text)).toEqual([])
})
