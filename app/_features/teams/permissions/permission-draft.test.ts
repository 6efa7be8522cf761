import { describe, expect, it } from 'vitest'
import { everyUnit, perUnit, type UnitModes } from '@/server/access/units'
import {
  changesOf,
  choiceBetween,
  contestedUnits,
  draftOf,
  isChanged,
  isPossible,
  newTeamDraft,
  type PermittedTeam,
  toInput,
  withAll,
  withChoice,
  withUnit,
} from './permission-draft'

const nothing = everyUnit('none')
const writers: PermittedTeam = {
  permission: 'write',
  units_map: { 'repo.code': 'write', 'repo.issues': 'read' },
}
const admins: PermittedTeam = { permission: 'admin', units_map: perUnit(() => 'admin') }
const owners: PermittedTeam = { permission: 'owner', units_map: perUnit(() => 'owner') }
const modesWith = (modes: Partial<UnitModes>): UnitModes => ({ ...nothing, ...modes })

describe('draftOf', () => {
  it("starts from the team's permissions, with no access to the units it does not name", () => {
    expect(draftOf(writers)).toEqual({
      administrator: false,
      modes: modesWith({ 'repo.code': 'write', 'repo.issues': 'read' }),
    })
    expect(isChanged(writers, draftOf(writers))).toBe(false)
  })

  it.each([
    ['administrators', admins, 'admin'],
    ['owners', owners, 'owner'],
  ] as const)('starts with full access for %s, but read access to external units', (_, team, mode) => {
    expect(draftOf(team)).toEqual({ administrator: true, modes: everyUnit(mode) })
    expect(isChanged(team, draftOf(team))).toBe(false)
  })
})

describe('selecting a mode', () => {
  it.each([
    ['repo.code', 'admin', true],
    ['repo.ext_wiki', 'read', true],
    ['repo.ext_wiki', 'write', false],
    ['repo.ext_issues', 'admin', false],
  ] as const)('makes isPossible for the unit %s and mode %s return %s', (unit, mode, possible) => {
    expect(isPossible(unit, mode)).toBe(possible)
  })

  it('for all units gives external units at most read access', () => {
    const { modes } = withAll(newTeamDraft, 'write')
    expect(modes).toMatchObject({ 'repo.code': 'write', 'repo.ext_wiki': 'read', 'repo.ext_issues': 'read' })
  })
})

describe('after someone else has changed the team', () => {
  const before = draftOf(writers)
  const now = draftOf({
    permission: 'write',
    units_map: { 'repo.code': 'read', 'repo.wiki': 'write' },
  })

  it('the draft differs from the saved team only in the units changed in this editor', () => {
    const choice = choiceBetween(before, withUnit(before, 'repo.packages', 'write'))
    expect(withChoice(now, choice)).toEqual(withUnit(now, 'repo.packages', 'write'))
    expect(contestedUnits(choice, before, now)).toEqual([])
  })

  it('a unit that both people set to different modes is contested, and one that both set to the same mode is not', () => {
    const mine = withUnit(withUnit(before, 'repo.code', 'none'), 'repo.wiki', 'write')
    expect(contestedUnits(choiceBetween(before, mine), before, now)).toEqual(['repo.code'])
  })

  it('a team that received administrator access keeps it, even if units were changed in this editor', () => {
    const choice = choiceBetween(before, withUnit(before, 'repo.packages', 'write'))
    const draft = withChoice(draftOf(admins), choice)
    expect(draft.administrator).toBe(true)
    expect(isChanged(admins, draft)).toBe(false)
  })

  it('administrator access that was removed in this editor stays removed, and the units have the modes that the other person saved', () => {
    const choice = choiceBetween(draftOf(admins), { ...draftOf(admins), administrator: false })
    expect(withChoice(now, choice)).toEqual(now)
    expect(withChoice(draftOf(admins), choice)).toEqual({ ...draftOf(admins), administrator: false })
  })
})

describe('toInput', () => {
  it.each([
    [{}, 'none'],
    [{ 'repo.ext_wiki': 'read' }, 'read'],
    [{ 'repo.code': 'read', 'repo.wiki': 'write' }, 'write'],
    [{ 'repo.code': 'admin' }, 'write'],
  ] as const)('for the modes %j returns the overall permission %s and every unit', (modes, permission) => {
    const draft = { administrator: false, modes: modesWith(modes) }
    expect(toInput(draft)).toEqual({ permission, units_map: modesWith(modes) })
  })

  it('returns no units for an administrator team', () => {
    expect(toInput({ administrator: true, modes: nothing })).toEqual({ permission: 'admin' })
  })
})

describe('changesOf', () => {
  it('returns the units whose access differs, in their default order', () => {
    const draft = withUnit(withUnit(draftOf(writers), 'repo.wiki', 'read'), 'repo.code', 'none')
    expect(changesOf(writers, draft)).toEqual([
      { unit: 'repo.code', before: 'write', after: 'none' },
      { unit: 'repo.wiki', before: 'none', after: 'read' },
    ])
  })

  it('returns nothing once a change is reverted', () => {
    const draft = withUnit(withUnit(draftOf(writers), 'repo.code', 'read'), 'repo.code', 'write')
    expect(isChanged(writers, draft)).toBe(false)
  })

  it('returns every unit below admin for a team that becomes administrators', () => {
    const draft = { ...draftOf(writers), administrator: true }
    expect(changesOf(writers, draft)).toContainEqual({ unit: 'repo.code', before: 'write', after: 'admin' })
    expect(changesOf(writers, draft)).toContainEqual({
      unit: 'repo.ext_wiki',
      before: 'none',
      after: 'read',
    })
  })

  it('returns no units that keep admin when a team loses administrator access, which still counts as a change', () => {
    const draft = { ...draftOf(admins), administrator: false }
    expect(changesOf(admins, draft)).toEqual([])
    expect(isChanged(admins, draft)).toBe(true)
  })

  it('returns nothing for the owners team', () => {
    expect(changesOf(owners, { administrator: true, modes: nothing })).toEqual([])
  })
})
