import type { LoginType } from '@/db/tables/users'

/** Features that an administrator can disable for everyone, or only for external accounts. */
export const features = [
  'deletion',
  'manage_ssh_keys',
  'manage_gpg_keys',
  'manage_mfa',
  'manage_credentials',
  'change_username',
  'change_full_name',
] as const
export type Feature = (typeof features)[number]

export interface FeatureSwitches {
  disabledFeatures: ReadonlySet<Feature>
  externalDisabledFeatures: ReadonlySet<Feature>
}

export function isFeatureDisabled(config: FeatureSwitches, loginType: LoginType, feature: Feature): boolean {
  if (config.disabledFeatures.has(feature)) return true
  return loginType !== 'local' && config.externalDisabledFeatures.has(feature)
}
