import { expect, it } from 'vitest'
import { type Block, blockName, blockOf, namesOfParts, nextAttempt } from './blocks'

const block = (part: number, attempt: number, number: number, isLast = false): Block => ({
  part,
  attempt,
  number,
  isLast,
})

it('names of Azure blocks have equal length and can be parsed by blockOf', () => {
  const blocks = [block(0, 0, 0), block(63, 12, 400, true)]
  const names = blocks.map(blockName)
  expect(names.map(blockOf)).toEqual(blocks)
  expect(new Set(names.map(name => name.length)).size).toBe(1)
  expect(blockOf(Buffer.from('another').toString('base64'))).toBeUndefined()
})

it('namesOfParts returns the blocks of a part’s last complete attempt, in order', () => {
  const blocks = [
    ...[block(1, 0, 1, true), block(1, 0, 0)],
    ...[block(0, 1, 2, true), block(0, 1, 1), block(0, 1, 0)],
    ...[block(0, 0, 0), block(0, 0, 1, true)],
    ...[block(0, 2, 0)],
  ]
  const names = [block(0, 1, 0), block(0, 1, 1), block(1, 0, 0)].map(blockName)
  expect(namesOfParts(blocks, [0, 1])).toEqual(names)
  expect(nextAttempt(blocks, 0)).toBe(3)
  expect(nextAttempt(blocks, 2)).toBe(0)
})

it('namesOfParts returns undefined if the last block of a part is missing', () => {
  expect(namesOfParts([block(0, 0, 0)], [0])).toBeUndefined()
  expect(namesOfParts([block(0, 0, 0, true)], [0, 1])).toBeUndefined()
})
