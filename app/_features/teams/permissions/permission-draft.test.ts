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

describe('a draft starts', () => {
  it('as the team is, with nothing on the units it does not name', () => {
    expect(draftOf(writers)).toEqual({
      administrator: false,
      modes: modesWith({ 'repo.code': 'write', 'repo.issues': 'read' }),
    })
    expect(isChanged(writers, draftOf(writers))).toBe(false)
  })

  it.each([
    ['administrators', admins, 'admin'],
    ['owners', owners, 'owner'],
  ] as const)('with everything for %s, the other sites to read', (_, team, mode) => {
    expect(draftOf(team)).toEqual({ administrator: true, modes: everyUnit(mode) })
    expect(isChanged(team, draftOf(team))).toBe(false)
  })
})

describe('a choice', () => {
  it.each([
    ['repo.code', 'admin', true],
    ['repo.ext_wiki', 'read', true],
    ['repo.ext_wiki', 'write', false],
    ['repo.ext_issues', 'admin', false],
  ] as const)('on %s of %s is possible: %s', (unit, mode, possible) => {
    expect(isPossible(unit, mode)).toBe(possible)
  })

  it('for all units stops at reading where a unit lies on another site', () => {
    const { modes } = withAll(newTeamDraft, 'write')
    expect(modes).toMatchObject({ 'repo.code': 'write', 'repo.ext_wiki': 'read', 'repo.ext_issues': 'read' })
  })
})

describe('after somebody else has changed the team', () => {
  const before = draftOf(writers)
  const now = draftOf({
    permission: 'write',
    units_map: { 'repo.code': 'read', 'repo.wiki': 'write' },
  })

  it('only what was chosen differs from what it is now', () => {
    const choice = choiceBetween(before, withUnit(before, 'repo.packages', 'write'))
    expect(withChoice(now, choice)).toEqual(withUnit(now, 'repo.packages', 'write'))
    expect(contestedUnits(choice, before, now)).toEqual([])
  })

  it('what both have chosen differently is contested, and what both have chosen alike is not', () => {
    const mine = withUnit(withUnit(before, 'repo.code', 'none'), 'repo.wiki', 'write')
    expect(contestedUnits(choiceBetween(before, mine), before, now)).toEqual(['repo.code'])
  })

  it('a team made administrators by them stays so, whatever was chosen for a part', () => {
    const choice = choiceBetween(before, withUnit(before, 'repo.packages', 'write'))
    const draft = withChoice(draftOf(admins), choice)
    expect(draft.administrator).toBe(true)
    expect(isChanged(admins, draft)).toBe(false)
  })

  it('administrator access that was taken here stays taken, and the parts are as they left them', () => {
    const choice = choiceBetween(draftOf(admins), { ...draftOf(admins), administrator: false })
    expect(withChoice(now, choice)).toEqual(now)
    expect(withChoice(draftOf(admins), choice)).toEqual({ ...draftOf(admins), administrator: false })
  })
})

describe('the words for the server', () => {
  it.each([
    [{}, 'none'],
    [{ 'repo.ext_wiki': 'read' }, 'read'],
    [{ 'repo.code': 'read', 'repo.wiki': 'write' }, 'write'],
    [{ 'repo.code': 'admin' }, 'write'],
  ] as const)('for %j say %s overall, and every unit', (modes, permission) => {
    const draft = { administrator: false, modes: modesWith(modes) }
    expect(toInput(draft)).toEqual({ permission, units_map: modesWith(modes) })
  })

  it('for an administrator team name no unit', () => {
    expect(toInput({ administrator: true, modes: nothing })).toEqual({ permission: 'admin' })
  })
})

describe('the changes', () => {
  it('are those units whose access differs, in their usual order', () => {
    const draft = withUnit(withUnit(draftOf(writers), 'repo.wiki', 'read'), 'repo.code', 'none')
    expect(changesOf(writers, draft)).toEqual([
      { unit: 'repo.code', before: 'write', after: 'none' },
      { unit: 'repo.wiki', before: 'none', after: 'read' },
    ])
  })

  it('are gone when a choice is taken back', () => {
    const draft = withUnit(withUnit(draftOf(writers), 'repo.code', 'read'), 'repo.code', 'write')
    expect(isChanged(writers, draft)).toBe(false)
  })

  it('of becoming administrators are all units that were below', () => {
    const draft = { ...draftOf(writers), administrator: true }
    expect(changesOf(writers, draft)).toContainEqual({ unit: 'repo.code', before: 'write', after: 'admin' })
    expect(changesOf(writers, draft)).toContainEqual({
      unit: 'repo.ext_wiki',
      before: 'none',
      after: 'read',
    })
  })

  it('of giving up administration are none on units that keep admin, and still a change', () => {
    const draft = { ...draftOf(admins), administrator: false }
    expect(changesOf(admins, draft)).toEqual([])
    expect(isChanged(admins, draft)).toBe(true)
  })

  it('never touch the owners team', () => {
    expect(changesOf(owners, { administrator: true, modes: nothing })).toEqual([])
  })
})
