/** Places: what webhooks, secrets, variables and runners belong to, loaded for those who may manage them. */

export { loadScope, requireSameScope, type SettingsScope, type SettingsScopeFor } from './load'
export { lockOwners } from './lock-owners'
