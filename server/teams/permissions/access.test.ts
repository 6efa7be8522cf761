import { describe, expect, it } from 'vitest'
import { everyUnit } from '@/server/access/units'
import {
  createdAccess,
  editedAccess,
  namedUnits,
  type TeamAccess,
  type TeamPermissionInput,
  unitsOf,
} from './access'

const whole = {
  'repo.code': 'admin',
  'repo.issues': 'admin',
  'repo.pulls': 'admin',
  'repo.releases': 'admin',
  'repo.wiki': 'admin',
  'repo.ext_wiki': 'read',
  'repo.ext_issues': 'read',
  'repo.projects': 'admin',
  'repo.packages': 'admin',
  'repo.actions': 'admin',
}

const internal = { kind: 'internal', message: 'units permission should not be empty' }
const unknown = (key: string) => ({
  kind: 'unprocessable',
  message: expect.stringContaining(`unknown unit [${key}]`),
})

describe('a new team', () => {
  it.each<[string, TeamPermissionInput, TeamAccess]>([
    [
      'units with the word for all of them',
      { permission: 'write', units: ['repo.code', 'repo.wiki'] },
      { mode: 'write', units: { 'repo.code': 'write', 'repo.wiki': 'write' } },
    ],
    [
      'units under a word that gives nothing',
      { permission: 'none', units: ['repo.code'] },
      { mode: 'none', units: { 'repo.code': 'none' } },
    ],
    ['no word at all', { units: ['repo.code'] }, { mode: 'none', units: { 'repo.code': 'none' } }],
    [
      'a map, each unit with a word of its own',
      {
        permission: 'read',
        units_map: { 'repo.code': 'admin', 'repo.wiki': 'write', 'repo.pulls': 'none', 'repo.actions': '' },
      },
      {
        mode: 'read',
        units: { 'repo.code': 'admin', 'repo.wiki': 'write', 'repo.pulls': 'none', 'repo.actions': 'none' },
      },
    ],
    [
      'the map when both are given',
      { permission: 'write', units: ['repo.wiki'], units_map: { 'repo.code': 'read' } },
      { mode: 'write', units: { 'repo.code': 'read' } },
    ],
    [
      'the list when the map is empty',
      { permission: 'read', units: ['repo.wiki'], units_map: {} },
      { mode: 'read', units: { 'repo.wiki': 'read' } },
    ],
    [
      'units on other sites to read at most',
      { permission: 'write', units: ['repo.ext_wiki', 'repo.ext_issues', 'repo.issues'] },
      {
        mode: 'write',
        units: { 'repo.ext_wiki': 'read', 'repo.ext_issues': 'read', 'repo.issues': 'write' },
      },
    ],
    [
      'units on other sites to read at most, also from a map',
      { permission: 'read', units_map: { 'repo.ext_wiki': 'admin' } },
      { mode: 'read', units: { 'repo.ext_wiki': 'read' } },
    ],
    [
      'keys in any case, once each',
      { permission: 'read', units: ['Repo.CODE', 'repo.code'] },
      { mode: 'read', units: { 'repo.code': 'read' } },
    ],
    [
      'every unit as an admin team, none named',
      { permission: 'admin' },
      { mode: 'admin', units: whole } as TeamAccess,
    ],
    [
      'every unit as an admin team, whatever is named',
      { permission: 'admin', units: ['repo.code'], units_map: { 'repo.code': 'read' } },
      { mode: 'admin', units: whole } as TeamAccess,
    ],
  ])('gets %s', (_, words, access) => {
    expect(createdAccess(words)).toEqual(access)
  })

  it.each<[string, TeamPermissionInput]>([
    ['nothing', {}],
    ['read without a unit', { permission: 'read' }],
    ['empty lists', { permission: 'write', units: [], units_map: {} }],
  ])('cannot be made with %s', (_, words) => {
    expect(() => createdAccess(words)).toThrow(expect.objectContaining(internal))
  })

  it.each<TeamPermissionInput>([
    { permission: 'owner', units: ['repo.code'] },
    { permission: 'read', units_map: { 'repo.code': 'owner' } },
  ])('cannot be made an owner: %j', words => {
    expect(() => createdAccess(words)).toThrow(expect.objectContaining({ kind: 'unprocessable' }))
  })

  it.each<[string, TeamPermissionInput]>([
    ['repo.x', { permission: 'read', units: ['repo.code', 'repo.x'] }],
    ['code', { permission: 'read', units_map: { code: 'read' } }],
    ['toString', { permission: 'admin', units: ['toString'] }],
    ['repo.y', { permission: 'read', units: ['repo.y'], units_map: { 'repo.code': 'read' } }],
  ])('cannot have the unit %s, which does not exist', (key, words) => {
    expect(() => createdAccess(words)).toThrow(expect.objectContaining(unknown(key)))
  })
})

describe('a team that is edited', () => {
  const writers: TeamAccess = { mode: 'write', units: { 'repo.code': 'write', 'repo.wiki': 'read' } }
  const admins: TeamAccess = { mode: 'admin', units: everyUnit('admin') }

  it.each<[string, TeamAccess, TeamPermissionInput, TeamAccess]>([
    ['keeps everything when nothing is given', writers, {}, writers],
    ['keeps its mode for an empty word', writers, { permission: '' }, writers],
    [
      'keeps its units when only the word changes',
      writers,
      { permission: 'read' },
      { ...writers, mode: 'read' },
    ],
    [
      'keeps its units when both are empty',
      writers,
      { permission: 'read', units: [], units_map: {} },
      { ...writers, mode: 'read' },
    ],
    [
      'gives listed units its own mode when no word is given',
      writers,
      { units: ['repo.actions'] },
      { mode: 'write', units: { 'repo.actions': 'write' } },
    ],
    [
      'gives listed units the new word',
      writers,
      { permission: 'read', units: ['repo.actions'] },
      { mode: 'read', units: { 'repo.actions': 'read' } },
    ],
    [
      'takes the map before the list',
      writers,
      { units: ['repo.actions'], units_map: { 'repo.code': 'admin' } },
      { mode: 'write', units: { 'repo.code': 'admin' } },
    ],
    [
      'keeps what it has on units with an empty word',
      writers,
      { units_map: { 'repo.code': '', 'repo.actions': 'read', 'repo.pulls': null } },
      { mode: 'write', units: { 'repo.code': 'write', 'repo.actions': 'read' } },
    ],
    [
      'keeps its units when the map has empty words alone',
      writers,
      { permission: 'read', units_map: { 'repo.code': '', 'repo.actions': null } },
      { ...writers, mode: 'read' },
    ],
    ['becomes admin on every unit', writers, { permission: 'admin', units: ['repo.code'] }, admins],
    ['stays admin on every unit', admins, { units: ['repo.code'] }, admins],
    [
      'keeps no admin unit that nobody chose when it is admin no more',
      admins,
      { permission: 'read' },
      { mode: 'read', units: everyUnit('read') },
    ],
    [
      'has the units it is given when it is admin no more',
      admins,
      { permission: 'read', units: ['repo.code'] },
      { mode: 'read', units: { 'repo.code': 'read' } },
    ],
  ])('%s', (_, current, words, access) => {
    expect(editedAccess(current, words)).toEqual(access)
  })

  it('stays as it is when it is the owners team', () => {
    const owners: TeamAccess = { mode: 'owner', units: {} }
    expect(editedAccess(owners, { permission: 'read', units: ['repo.code'] })).toBe(owners)
  })

  it('cannot have a unit that does not exist', () => {
    const edit = () => editedAccess(writers, { units: ['repo.x'] })
    expect(edit).toThrow(expect.objectContaining(unknown('repo.x')))
  })

  it('cannot become an owner', () => {
    for (const words of [{ permission: 'owner' }, { units_map: { 'repo.code': 'owner' } }] as const) {
      expect(() => editedAccess(writers, words)).toThrow(expect.objectContaining({ kind: 'unprocessable' }))
    }
  })
})

describe('what a team shows', () => {
  it('is its mode on every unit from admin on, whatever is stored', () => {
    expect(unitsOf({ mode: 'admin', units: { 'repo.code': 'read' } })).toEqual(whole)
    expect(unitsOf({ mode: 'owner', units: {} })).toMatchObject({
      'repo.code': 'owner',
      'repo.ext_wiki': 'read',
    })
  })

  it('is what is stored below admin', () => {
    expect(unitsOf({ mode: 'read', units: { 'repo.code': 'none' } })).toEqual({ 'repo.code': 'none' })
  })

  it('lists the units it was given, with none too, in their usual order', () => {
    expect(namedUnits({ 'repo.wiki': 'write', 'repo.code': 'read', 'repo.pulls': 'none' })).toEqual([
      'repo.code',
      'repo.pulls',
      'repo.wiki',
    ])
  })
})
