import { expect, it } from 'vitest'
import { labelsIn, problemOfLabels } from './label-text'

it('labelsIn splits at commas and line breaks and removes duplicates', () => {
  expect(labelsIn(' linux, gpu large,\n\nlinux\n,arm64 ')).toEqual(['linux', 'gpu large', 'arm64'])
  expect(labelsIn(' ,\n')).toEqual([])
})

it.each<[string[], string | undefined]>([
  [['linux:host', 'gpu large'], undefined],
  [[`${'x'.repeat(255)}:docker://node:22`], undefined],
  [['x'.repeat(256)], 'Use at most 255 characters for a label.'],
  [[], 'Enter at least one label.'],
  [[':host'], 'Give each label a name.'],
  [Array.from({ length: 101 }, (_, index) => `label-${index}`), 'Use at most 100 labels.'],
])('problemOfLabels for %j returns: %s', (labels, problem) => {
  expect(problemOfLabels(labels)).toBe(problem)
})
