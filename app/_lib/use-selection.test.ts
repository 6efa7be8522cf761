import { expect, it } from 'vitest'
import { reconcile } from './use-selection'

interface Branch {
  id: number
  isDefault?: boolean
  tip?: string
}

const rules = { idOf: ({ id }: Branch) => id, takes: ({ isDefault }: Branch) => !isDefault }
const shown = (rows?: readonly Branch[], page = 'first', narrowing = 'all', total = 10) => ({
  narrowing,
  page,
  rows,
  total,
})
const selectedOf = (rows: readonly Branch[]) => new Map(rows.map(row => [row.id, row]))
const [one, two, three]: readonly Branch[] = [{ id: 1 }, { id: 2 }, { id: 3 }]
const first = [one, two] as Branch[]
const selected = selectedOf([...first, three as Branch])
const before = { selected, shown: shown(first) }

it('reconcile keeps rows selected on other pages, in another order, and while rows are loading', () => {
  expect(reconcile(before, shown(first), rules)).toBe(selected)
  expect(reconcile(before, shown([{ id: 8 }], 'second'), rules)).toBe(selected)
  expect(reconcile(before, shown(undefined, 'second'), rules)).toBe(selected)
})

it('reconcile clears the selection when the filters change, before the rows have loaded', () => {
  expect([...reconcile(before, shown(undefined, 'first', 'owners'), rules)]).toEqual([])
})

it('reconcile returns the newest state of each row, without deleted rows and rows that can no longer be selected', () => {
  const pushed = { id: 1, tip: 'new' }
  const kept = reconcile(before, shown([pushed, { id: 4 }], 'first', 'all', 9), rules)
  expect([...kept.values()]).toEqual([pushed, three])
  expect([...reconcile(before, shown([{ id: 1, isDefault: true }, { id: 2 }]), rules).keys()]).toEqual([2, 3])
  const onlySecondIsSelectable = { ...rules, takes: ({ id }: Branch) => id === 2 }
  expect([...reconcile(before, shown(undefined), onlySecondIsSelectable).keys()]).toEqual([2])
})

it('reconcile keeps a row that moved to the next page because others were added', () => {
  expect([...reconcile(before, shown([{ id: 9 }, { id: 1 }], 'first', 'all', 11), rules).keys()]).toEqual([
    1, 2, 3,
  ])
})
