import type { GitSettings } from './environment'

/** For everything that writes: what git says is there is on the disk. */
export const durableConfig: GitSettings = {
  'core.fsync': 'committed,derived-metadata,reference',
}
