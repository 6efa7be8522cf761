import { expect, it } from 'vitest'
import { randomFrom } from '@/testing/random'
import { series } from '@/testing/series'
import { parseTree } from './tree'

const entry = (mode: string, name: string | Buffer, id: string): Buffer =>
  Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.of(0), Buffer.from(id, 'hex')])

const treeOf = (text: Buffer, idLength = 40, isWhole = true) =>
  parseTree({ sha: 'a'.repeat(idLength), type: 'tree', text, isWhole })

it.each([40, 64])('parseTree returns every kind of entry of a tree whose IDs have %i digits', length => {
  const id = '0a'.repeat(length / 2)
  const text = Buffer.concat([
    entry('40000', 'a dir', id),
    entry('100644', 'a\nfile', id),
    entry('100755', 'run', id),
    entry('120000', 'link', id),
    entry('160000', 'module', id),
  ])
  expect(treeOf(text, length)).toEqual({
    entries: [
      { mode: '040000', type: 'tree', name: 'a dir', id },
      { mode: '100644', type: 'blob', name: 'a\nfile', id },
      { mode: '100755', type: 'blob', name: 'run', id },
      { mode: '120000', type: 'blob', name: 'link', id },
      { mode: '160000', type: 'commit', name: 'module', id },
    ],
    isWhole: true,
  })
})

it('parseTree keeps names apart that are not UTF-8', () => {
  const id = '1'.repeat(40)
  const text = Buffer.concat([entry('100644', Buffer.of(0xe9), id), entry('100644', Buffer.of(0xe8), id)])
  expect(new Set(treeOf(text).entries.map(({ name }) => name)).size).toBe(2)
})

it.each([
  ['is truncated', entry('100644', 'b', '2'.repeat(40)).subarray(0, -1)],
  ['has no mode', Buffer.from(` b\0${'x'.repeat(20)}`)],
  ['has a mode that is no number', entry('10x644', 'b', '2'.repeat(40))],
  ['has a mode of 60 kB', Buffer.alloc(60_000, '7')],
  ['has no name', Buffer.from('100644 ')],
])('parseTree returns the entries before one that %s', (_, broken) => {
  const first = entry('100644', 'a', '1'.repeat(40))
  expect(treeOf(Buffer.concat([first, broken]))).toEqual({
    entries: [{ mode: '100644', type: 'blob', name: 'a', id: '1'.repeat(40) }],
    isWhole: false,
  })
})

it('parseTree says that a tree that was read only in part is not whole, and returns nothing of another object', () => {
  const text = entry('100644', 'a', '1'.repeat(40))
  expect(treeOf(text, 40, false)).toMatchObject({ entries: [{ name: 'a' }], isWhole: false })
  const file = { sha: 'a'.repeat(40), type: 'blob', text, isWhole: true }
  expect(parseTree(file)).toEqual({ entries: [], isWhole: false })
})

it('parseTree returns something for any bytes', { tags: 'series' }, () => {
  const next = randomFrom(37)
  const random = (limit: number): number => Math.floor(next() * limit)
  const valid = Buffer.concat([
    entry('40000', 'dir', '1'.repeat(40)),
    entry('100644', 'file', '2'.repeat(40)),
  ])
  for (let round = 0; round < series(500, 20_000); round++) {
    const text = Buffer.from(valid)
    for (let changes = random(8); changes >= 0; changes--) text[random(text.length)] = random(256)
    const { entries } = treeOf(text.subarray(0, random(text.length + 1)))
    expect(entries.length).toBeLessThanOrEqual(3)
    for (const { mode, id } of entries) expect([mode.length, id.length]).toEqual([6, 40])
  }
})
