import { installHooks } from '@/server/kernel/git/hooks'
import { hooksFolder, type StorageConfig } from './folders'

/** The variable that tells the hooks where to note the push. */
export const pushVariable = 'GUILDHALL_PUSH'

// Each list appears whole or not at all. What cannot be noted before is refused; what cannot be noted after, on a
// full disk, is marked by a rename, which needs no room.
const hooks = {
  'pre-receive': `#!/bin/sh
cd "$${pushVariable}" && cat >wanted.partial && mv wanted.partial wanted
`,
  'post-receive': `#!/bin/sh
cd "$${pushVariable}" && { cat >done.partial && mv done.partial done || mv wanted unsure; }
`,
}

/** Puts our hooks where git is told to look for them. Throws ConfigError when they could not be run there. */
export async function installPushHooks(config: StorageConfig): Promise<void> {
  await installHooks(hooksFolder(config), hooks)
}
