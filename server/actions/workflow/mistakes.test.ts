import { expect, it } from 'vitest'
import { shortMessages } from './mistakes'

it('messages about a workflow are in the order of its lines, the first 20 of them', () => {
  const at = (line: number, column: number) => `line ${line}, column ${column}: wrong.`
  expect(shortMessages([at(10, 3), at(9, 12), at(9, 4), 'The file is odd.', at(9, 12)])).toEqual([
    'The file is odd.',
    at(9, 4),
    at(9, 12),
    at(10, 3),
  ])
  const many = Array.from({ length: 30 }, (_, index) => at(30 - index, 1))
  expect(shortMessages(many)).toEqual(Array.from({ length: 20 }, (_, index) => at(index + 1, 1)))
})
