/**
 * Scopes: what webhooks, secrets, variables and runners belong to, loaded for callers who can manage them.
 */

export { loadScope, requireSameScope, type SettingsScope, type SettingsScopeFor } from './load'
export { lockOwners } from './lock-owners'
