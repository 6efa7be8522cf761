import { expect, it } from 'vitest'
import { passesFilter } from './hook-filter'

const hook = {
  name: 'Deploys',
  url: 'https://ci.example.com/hooks/prod',
  type: 'msteams',
  events: ['push', 'team'],
  active: true,
  disabled_reason: null,
  failing_since: null,
}

it.each([
  ['', true],
  ['  DEPLOY  ', true],
  ['example.com prod', true],
  ['microsoft push', true],
  ['active', true],
  ['inactive', false],
  ['failing', false],
  ['deploys staging', false],
])("passesFilter matches a webhook's name, URL, type, events, and state with %j: %s", (filter, isFound) =>
  expect(passesFilter(hook, filter)).toBe(isFound),
)

it.each([
  [{ active: false }, 'inactive'],
  [{ failing_since: '2026-01-01T00:00:00Z' }, 'failing'],
  [{ active: false, disabled_reason: 'gone' as const }, 'disabled'],
])('passesFilter finds a webhook with %j by the state "%s" and not by "active"', (change, state) => {
  expect(passesFilter({ ...hook, ...change }, state)).toBe(true)
  expect(passesFilter({ ...hook, ...change }, 'active')).toBe(false)
})
