import type { LoginType } from '@/db/tables/users'

/** What an administrator may take away from people; external accounts also lose what their own list names. */
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
