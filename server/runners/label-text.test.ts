import { expect, it } from 'vitest'
import { labelsIn } from './label-text'

it('splits at commas and line breaks and drops repeats', () => {
  expect(labelsIn(' linux, gpu large,\n\nlinux\n,arm64 ')).toEqual(['linux', 'gpu large', 'arm64'])
  expect(labelsIn(' ,\n')).toEqual([])
})
