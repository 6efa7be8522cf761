import { expect, it } from 'vitest'
import { textColorOn } from './text-color'

it.each([
  ['ffffff', '#000'],
  ['000000', '#fff'],
  ['ee0701', '#000'],
  ['b71c1c', '#fff'],
  ['0288d1', '#000'],
  ['fbca04', '#000'],
  ['37474f', '#fff'],
] as const)('the text on %s is %s', (color, text) => {
  expect(textColorOn(color)).toBe(text)
})
