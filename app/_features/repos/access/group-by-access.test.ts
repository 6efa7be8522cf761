import { expect, it } from 'vitest'
import { groupByAccess } from './group-by-access'

const team = (mode: 'read' | 'write') => ({
  source: 'team' as const,
  mode,
  team: { id: 7, name: 'Builders' },
})

it('parts with the same rights for the same reasons stand together, the others apart', () => {
  const groups = groupByAccess([
    { unit: 'repo.code', mode: 'write', reasons: [team('write')] },
    { unit: 'repo.issues', mode: 'read', reasons: [team('read')] },
    { unit: 'repo.wiki', mode: 'read', reasons: [{ source: 'public', mode: 'read' }] },
    { unit: 'repo.pulls', mode: 'write', reasons: [team('write')] },
    { unit: 'repo.actions', mode: 'none', reasons: [] },
  ])
  expect(groups.map(group => group.units)).toEqual([
    ['repo.code', 'repo.pulls'],
    ['repo.issues'],
    ['repo.wiki'],
    ['repo.actions'],
  ])
})

it('nothing is nothing', () => {
  expect(groupByAccess([])).toEqual([])
})
