import { expect, it } from 'vitest'
import { remember } from './remember'

it('remember computes each text once, keeps at most so many results, and none of long texts', () => {
  const computed: string[] = []
  const lengthOf = remember(
    text => {
      computed.push(text)
      return text === '' ? undefined : text.length
    },
    { maxEntries: 2, maxLength: 3 },
  )
  expect(['', 'a', '', 'a', 'long', 'long'].map(lengthOf)).toEqual([undefined, 1, undefined, 1, 4, 4])
  expect(computed).toEqual(['', 'a', 'long', 'long'])
  expect(['b', 'b', 'a'].map(lengthOf)).toEqual([1, 1, 1])
  expect(computed.slice(4)).toEqual(['b', 'a'])
})
