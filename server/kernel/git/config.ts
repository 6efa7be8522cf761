import type { GitSettings } from './environment'

/** Settings for every git that writes: objects and refs are synced before git reports them. */
export const durableConfig: GitSettings = {
  'core.fsync': 'committed,derived-metadata,reference',
}
