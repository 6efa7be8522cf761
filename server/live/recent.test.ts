import { describe, expect, it } from 'vitest'
import type { Signal } from '@/server/events'
import { rememberRecent } from './recent'

const signal = (id: number): Signal => ({ id, kind: 'org.edited', ownerId: 1, repositoryId: null })

function start(at: number, max?: number) {
  const clock = { ms: at }
  const recent = rememberRecent(() => new Date(clock.ms), max)
  const idsAfter = (cursor: string) =>
    recent.after(cursor)?.map(entry => ('id' in entry.signal ? entry.signal.id : entry.signal.kind))
  return { clock, recent, idsAfter }
}

it('a position in the live signals does not reveal their number', () => {
  const { clock, recent } = start(1_000)
  const other = start(1_000)
  for (const id of [1, 2, 3]) recent.add(signal(id))
  clock.ms = other.clock.ms = 1_001
  const withoutProcess = (cursor: string) => cursor.replace(/^\w+/, '')
  expect(withoutProcess(recent.cursor())).toBe(withoutProcess(other.recent.cursor()))
})

describe('the live signals after a position', () => {
  it('are exactly known in the process that issued the position', () => {
    const { recent, idsAfter } = start(1_000)
    const before = recent.cursor()
    const [first, second] = [recent.add(signal(1)), recent.add(signal(2))]
    expect([before, first.cursor, second.cursor, recent.cursor()].map(idsAfter)).toEqual([
      [1, 2],
      [2],
      [],
      [],
    ])
  })

  it('are unknown if the position is too old', () => {
    const { recent, idsAfter } = start(1_000, 3)
    const cursors = [1, 2, 3, 4, 5].map(id => recent.add(signal(id)).cursor)
    expect(cursors.map(idsAfter)).toEqual([undefined, [3, 4, 5], [4, 5], [5], []])
  })

  it('are known in another process that has run long enough, including signals that the first process may have missed', () => {
    const other = start(100_000)
    const { clock, recent, idsAfter } = start(50_000)
    recent.add(signal(1))
    clock.ms = 60_000
    recent.add(signal(2))
    clock.ms = 101_000
    recent.add(signal(3))
    expect(idsAfter(other.recent.cursor())).toEqual([2, 3])
    expect(idsAfter(start(94_000).recent.cursor())).toBeUndefined()
  })

  it('are unknown in another process that no longer remembers some of them', () => {
    const other = start(100_000)
    const { clock, recent, idsAfter } = start(50_000, 2)
    clock.ms = 60_000
    for (const id of [1, 2, 3]) recent.add(signal(id))
    expect(idsAfter(other.recent.cursor())).toBeUndefined()
    other.clock.ms = 105_001
    expect(idsAfter(other.recent.cursor())).toEqual([])
  })

  it.each(['', 'x', '0123abcd', '0123abcd.1', `0123abcd.1.${'9'.repeat(30)}`])(
    'are unknown for the invalid position %j',
    cursor => {
      expect(start(1_000).idsAfter(cursor)).toBeUndefined()
    },
  )

  it('are unknown for a future position of this process', () => {
    const { recent, idsAfter } = start(1_000)
    expect(idsAfter(recent.cursor().replace('.0', '.5'))).toBeUndefined()
    expect(idsAfter(recent.cursor().replace('.1000', '.1001'))).toBeUndefined()
  })

  it('are known if the clock was set back after the position was issued', () => {
    const { clock, recent, idsAfter } = start(1_000)
    const before = recent.add(signal(1)).cursor
    clock.ms = 500
    const after = recent.add(signal(2)).cursor
    expect([before, after].map(idsAfter)).toEqual([[2], []])
  })
})
