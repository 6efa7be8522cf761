import { expect, it } from 'vitest'
import { labelsIn, problemOfLabels } from './label-text'

it('splits at commas and line breaks and drops repeats', () => {
  expect(labelsIn(' linux, gpu large,\n\nlinux\n,arm64 ')).toEqual(['linux', 'gpu large', 'arm64'])
  expect(labelsIn(' ,\n')).toEqual([])
})

it.each<[string[], string | undefined]>([
  [['linux:host', 'gpu large'], undefined],
  [[`${'x'.repeat(255)}:docker://node:22`], undefined],
  [['x'.repeat(256)], 'Use at most 255 characters for a label.'],
  [[], 'Give at least one label.'],
  [[':host'], 'Give each label a name.'],
  [Array.from({ length: 101 }, (_, index) => `label-${index}`), 'Use at most 100 labels.'],
])('of %j a runner is told: %s', (labels, problem) => {
  expect(problemOfLabels(labels)).toBe(problem)
})
