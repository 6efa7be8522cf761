import { installHooks } from '@/server/kernel/git/hooks'
import { hooksFolder, type StorageConfig } from './folders'

/** The variable that tells the hooks where to note the push. */
export const pushVariable = 'GUILDHALL_PUSH'

// One push of more keeps the site busy for minutes; a mirror is filled in several.
const mostRefs = 10_000

// Each list appears whole or not at all. What cannot be noted before is refused; what cannot be noted after, on a
// full disk, is marked by a rename, which needs no room. The first is on the disk before git moves a ref, wherever the
// system has a `sync` that takes names.
const hooks = {
  'pre-receive': `#!/bin/sh
cd "$${pushVariable}" && cat >wanted.partial || exit 1
[ "$(wc -l <wanted.partial)" -le ${mostRefs} ] || { echo 'Push at most ${mostRefs} branches and tags at once.' >&2; exit 1; }
sync wanted.partial 2>/dev/null
mv wanted.partial wanted || exit 1
sync . 2>/dev/null || true
`,
  'post-receive': `#!/bin/sh
cd "$${pushVariable}" && { cat >done.partial && mv done.partial done || mv wanted unsure; }
`,
}

/** Puts our hooks where git is told to look for them. Throws ConfigError when they could not be run there. */
export async function installPushHooks(config: StorageConfig): Promise<void> {
  await installHooks(hooksFolder(config), hooks)
}
