import { describe, expect, it } from 'vitest'
import {
  decideJobPermissions,
  everyJobScope,
  type JobPermissions,
  type JobTokenSettings,
  type RequestedPermissions,
} from './job-permissions'

const byDefault = { contents: 'read', actions: 'read', statuses: 'none', packages: 'read' } as const
const none = everyJobScope('none')
const everything = everyJobScope('write')

const settingsOf = (
  fallback: JobTokenSettings['default'],
  ceiling: Partial<JobPermissions> = {},
): JobTokenSettings => ({ default: fallback, ceiling: { ...everything, ...ceiling } })

describe('decideJobPermissions', () => {
  it.each<[string, RequestedPermissions | null, JobTokenSettings[], JobPermissions]>([
    ['reads code, releases, actions and packages if nothing is set', null, [], byDefault],
    [
      'takes the first default that is set',
      null,
      [settingsOf(null), settingsOf('write'), settingsOf('read')],
      everything,
    ],
    [
      'takes a stricter default before a wider one',
      null,
      [settingsOf('read'), settingsOf('write')],
      byDefault,
    ],
    [
      'gives what is requested, whatever the default is',
      { scopes: { contents: 'write' } },
      [settingsOf('read')],
      { ...none, contents: 'write' },
    ],
    ['gives nothing for an empty request', { scopes: {} }, [settingsOf('write')], none],
    ['ignores scopes without effect', { scopes: { issues: 'write', 'id-token': 'write' } }, [], none],
    [
      'clamps a request by every ceiling',
      { scopes: { contents: 'write', actions: 'write' } },
      [settingsOf(null, { actions: 'read' }), settingsOf(null, { contents: 'none' })],
      { ...none, actions: 'read' },
    ],
    [
      'clamps the default',
      null,
      [settingsOf('write', { contents: 'read' })],
      { ...everything, contents: 'read' },
    ],
    [
      'never raises a request to the ceiling',
      { scopes: { contents: 'read' } },
      [settingsOf(null)],
      { ...none, contents: 'read' },
    ],
    [
      'limits a request within the default to it',
      { scopes: { contents: 'write', actions: 'write' }, withinDefault: true },
      [],
      { ...none, contents: 'read', actions: 'read' },
    ],
    [
      'lets a request within the default be less',
      { scopes: { actions: 'read' }, withinDefault: true },
      [settingsOf('write')],
      { ...none, actions: 'read' },
    ],
  ])('%s', (_, requested, settings, expected) => {
    expect(decideJobPermissions(requested, settings)).toEqual(expected)
  })
})
