import { expect, it } from 'vitest'
import { isFeatureDisabled } from './features'

const none = { disabledFeatures: new Set<never>(), externalDisabledFeatures: new Set<never>() }

it('nothing is disabled unless it was asked for', () => {
  expect(isFeatureDisabled(none, 'local', 'manage_ssh_keys')).toBe(false)
  expect(isFeatureDisabled(none, 'ldap', 'manage_ssh_keys')).toBe(false)
})

it('what is disabled for everybody is so for external accounts too', () => {
  const config = { ...none, disabledFeatures: new Set(['manage_ssh_keys'] as const) }
  expect(isFeatureDisabled(config, 'local', 'manage_ssh_keys')).toBe(true)
  expect(isFeatureDisabled(config, 'ldap', 'manage_ssh_keys')).toBe(true)
  expect(isFeatureDisabled(config, 'local', 'deletion')).toBe(false)
})

it.each(['ldap', 'oidc', 'pam', 'smtp'] as const)(
  'what is disabled for external accounts is so for %s',
  type => {
    const config = { ...none, externalDisabledFeatures: new Set(['manage_ssh_keys'] as const) }
    expect(isFeatureDisabled(config, type, 'manage_ssh_keys')).toBe(true)
    expect(isFeatureDisabled(config, 'local', 'manage_ssh_keys')).toBe(false)
  },
)
