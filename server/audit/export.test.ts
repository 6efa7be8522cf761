import { expect, it } from 'vitest'
import { csvCell } from './export'

it.each([
  ['plain', 'plain'],
  ['a, "b"', '"a, ""b"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@sum(a1)', "'@sum(a1)"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['=1,2', '"\'=1,2"'],
  ['a=1', 'a=1'],
  ['', ''],
])('csvCell writes %j as %j, which no spreadsheet evaluates', (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})
