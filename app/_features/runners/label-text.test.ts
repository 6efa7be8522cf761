import { expect, it } from 'vitest'
import { labelsIn } from './label-text'

it('takes commas and line breaks for what is between labels, and each label once', () => {
  expect(labelsIn(' linux, gpu large,\n\nlinux\n,arm64 ')).toEqual(['linux', 'gpu large', 'arm64'])
  expect(labelsIn(' ,\n')).toEqual([])
})
