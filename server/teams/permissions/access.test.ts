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

describe('createdAccess', () => {
  it.each<[string, TeamPermissionInput, TeamAccess]>([
    [
      'gives listed units the requested permission',
      { permission: 'write', units: ['repo.code', 'repo.wiki'] },
      { mode: 'write', units: { 'repo.code': 'write', 'repo.wiki': 'write' } },
    ],
    [
      'gives listed units none when the requested permission is none',
      { permission: 'none', units: ['repo.code'] },
      { mode: 'none', units: { 'repo.code': 'none' } },
    ],
    [
      'gives listed units none when no permission is specified',
      { units: ['repo.code'] },
      { mode: 'none', units: { 'repo.code': 'none' } },
    ],
    [
      'gives each unit in units_map its own permission',
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
      'prefers units_map over units when both are present',
      { permission: 'write', units: ['repo.wiki'], units_map: { 'repo.code': 'read' } },
      { mode: 'write', units: { 'repo.code': 'read' } },
    ],
    [
      'uses units when units_map is empty',
      { permission: 'read', units: ['repo.wiki'], units_map: {} },
      { mode: 'read', units: { 'repo.wiki': 'read' } },
    ],
    [
      'limits external units to read when they are listed in units',
      { permission: 'write', units: ['repo.ext_wiki', 'repo.ext_issues', 'repo.issues'] },
      {
        mode: 'write',
        units: { 'repo.ext_wiki': 'read', 'repo.ext_issues': 'read', 'repo.issues': 'write' },
      },
    ],
    [
      'limits external units to read when they are listed in units_map',
      { permission: 'read', units_map: { 'repo.ext_wiki': 'admin' } },
      { mode: 'read', units: { 'repo.ext_wiki': 'read' } },
    ],
    [
      'accepts unit names in any case and merges duplicates',
      { permission: 'read', units: ['Repo.CODE', 'repo.code'] },
      { mode: 'read', units: { 'repo.code': 'read' } },
    ],
    [
      'gives an admin team every unit when no units are listed',
      { permission: 'admin' },
      { mode: 'admin', units: whole } as TeamAccess,
    ],
    [
      'gives an admin team every unit regardless of the listed units',
      { permission: 'admin', units: ['repo.code'], units_map: { 'repo.code': 'read' } },
      { mode: 'admin', units: whole } as TeamAccess,
    ],
  ])('%s', (_, words, access) => {
    expect(createdAccess(words)).toEqual(access)
  })

  it.each<[string, TeamPermissionInput]>([
    ['an empty request', {}],
    ['read permission without units', { permission: 'read' }],
    ['empty units and units_map', { permission: 'write', units: [], units_map: {} }],
  ])('throws an internal error for %s', (_, words) => {
    expect(() => createdAccess(words)).toThrow(expect.objectContaining(internal))
  })

  it.each<TeamPermissionInput>([
    { permission: 'owner', units: ['repo.code'] },
    { permission: 'read', units_map: { 'repo.code': 'owner' } },
  ])('rejects the owner permission in %j', words => {
    expect(() => createdAccess(words)).toThrow(expect.objectContaining({ kind: 'unprocessable' }))
  })

  it.each<[string, TeamPermissionInput]>([
    ['repo.x', { permission: 'read', units: ['repo.code', 'repo.x'] }],
    ['code', { permission: 'read', units_map: { code: 'read' } }],
    ['toString', { permission: 'admin', units: ['toString'] }],
    ['repo.y', { permission: 'read', units: ['repo.y'], units_map: { 'repo.code': 'read' } }],
  ])('rejects the unknown unit %s', (key, words) => {
    expect(() => createdAccess(words)).toThrow(expect.objectContaining(unknown(key)))
  })
})

describe('editedAccess', () => {
  const writers: TeamAccess = { mode: 'write', units: { 'repo.code': 'write', 'repo.wiki': 'read' } }
  const admins: TeamAccess = { mode: 'admin', units: everyUnit('admin') }

  it.each<[string, TeamAccess, TeamPermissionInput, TeamAccess]>([
    ['keeps all permissions when the request is empty', writers, {}, writers],
    ['keeps the mode when the requested permission is empty', writers, { permission: '' }, writers],
    [
      'keeps the units when only the permission changes',
      writers,
      { permission: 'read' },
      { ...writers, mode: 'read' },
    ],
    [
      'keeps the units when units and units_map are empty',
      writers,
      { permission: 'read', units: [], units_map: {} },
      { ...writers, mode: 'read' },
    ],
    [
      "gives listed units the team's current mode when no permission is specified",
      writers,
      { units: ['repo.actions'] },
      { mode: 'write', units: { 'repo.actions': 'write' } },
    ],
    [
      'gives listed units the new permission',
      writers,
      { permission: 'read', units: ['repo.actions'] },
      { mode: 'read', units: { 'repo.actions': 'read' } },
    ],
    [
      'prefers units_map over units when both are present',
      writers,
      { units: ['repo.actions'], units_map: { 'repo.code': 'admin' } },
      { mode: 'write', units: { 'repo.code': 'admin' } },
    ],
    [
      'keeps the current modes of units with an empty value in units_map',
      writers,
      { units_map: { 'repo.code': '', 'repo.actions': 'read', 'repo.pulls': null } },
      { mode: 'write', units: { 'repo.code': 'write', 'repo.actions': 'read' } },
    ],
    [
      'keeps the units when units_map has only empty values',
      writers,
      { permission: 'read', units_map: { 'repo.code': '', 'repo.actions': null } },
      { ...writers, mode: 'read' },
    ],
    [
      'grants admin on every unit when the team becomes admin',
      writers,
      { permission: 'admin', units: ['repo.code'] },
      admins,
    ],
    [
      'keeps admin on every unit when the units of an admin team are edited',
      admins,
      { units: ['repo.code'] },
      admins,
    ],
    [
      'lowers every unit to the new permission when an admin team loses admin',
      admins,
      { permission: 'read' },
      { mode: 'read', units: everyUnit('read') },
    ],
    [
      'grants only the listed units when an admin team loses admin',
      admins,
      { permission: 'read', units: ['repo.code'] },
      { mode: 'read', units: { 'repo.code': 'read' } },
    ],
  ])('%s', (_, current, words, access) => {
    expect(editedAccess(current, words)).toEqual(access)
  })

  it('never changes the permissions of the Owners team', () => {
    const owners: TeamAccess = { mode: 'owner', units: {} }
    expect(editedAccess(owners, { permission: 'read', units: ['repo.code'] })).toBe(owners)
  })

  it('rejects an unknown unit', () => {
    const edit = () => editedAccess(writers, { units: ['repo.x'] })
    expect(edit).toThrow(expect.objectContaining(unknown('repo.x')))
  })

  it('rejects the owner permission', () => {
    for (const words of [{ permission: 'owner' }, { units_map: { 'repo.code': 'owner' } }] as const) {
      expect(() => editedAccess(writers, words)).toThrow(expect.objectContaining({ kind: 'unprocessable' }))
    }
  })
})

describe('units of a team', () => {
  it('unitsOf returns the highest mode of every unit for an admin or owner team, regardless of stored modes', () => {
    expect(unitsOf({ mode: 'admin', units: { 'repo.code': 'read' } })).toEqual(whole)
    expect(unitsOf({ mode: 'owner', units: {} })).toMatchObject({
      'repo.code': 'owner',
      'repo.ext_wiki': 'read',
    })
  })

  it('unitsOf returns the stored modes for a team below admin', () => {
    expect(unitsOf({ mode: 'read', units: { 'repo.code': 'none' } })).toEqual({ 'repo.code': 'none' })
  })

  it('namedUnits lists the units that have a mode, including none, in the standard order', () => {
    expect(namedUnits({ 'repo.wiki': 'write', 'repo.code': 'read', 'repo.pulls': 'none' })).toEqual([
      'repo.code',
      'repo.pulls',
      'repo.wiki',
    ])
  })
})
