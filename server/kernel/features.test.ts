import { expect, it } from 'vitest'
import { isFeatureDisabled } from './features'

const none = { disabledFeatures: new Set<never>(), externalDisabledFeatures: new Set<never>() }

it('isFeatureDisabled returns false without any settings', () => {
  expect(isFeatureDisabled(none, 'local', 'manage_ssh_keys')).toBe(false)
  expect(isFeatureDisabled(none, 'ldap', 'manage_ssh_keys')).toBe(false)
})

it('isFeatureDisabled returns true for external accounts if the feature is disabled for everyone', () => {
  const config = { ...none, disabledFeatures: new Set(['manage_ssh_keys'] as const) }
  expect(isFeatureDisabled(config, 'local', 'manage_ssh_keys')).toBe(true)
  expect(isFeatureDisabled(config, 'ldap', 'manage_ssh_keys')).toBe(true)
  expect(isFeatureDisabled(config, 'local', 'deletion')).toBe(false)
})

it.each(['ldap', 'oidc', 'pam', 'smtp'] as const)(
  'isFeatureDisabled counts %s accounts as external',
  type => {
    const config = { ...none, externalDisabledFeatures: new Set(['manage_ssh_keys'] as const) }
    expect(isFeatureDisabled(config, type, 'manage_ssh_keys')).toBe(true)
    expect(isFeatureDisabled(config, 'local', 'manage_ssh_keys')).toBe(false)
  },
)
