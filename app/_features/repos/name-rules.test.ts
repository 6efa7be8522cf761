import { expect, it } from 'vitest'
import { suggestedName } from './name-rules'

it.each([
  ['my repo äö!', 'my-repo'],
  ['Release notes, 2026', 'Release-notes-2026'],
  ['a/b\\c', 'a-b-c'],
  ['äöü', ''],
  ['.. /x', 'x'],
  ['..', ''],
  ['what is next...', 'what-is-next'],
])('suggestedName turns “%s” into “%s”', (text, name) => {
  expect(suggestedName(text)).toBe(name)
})
