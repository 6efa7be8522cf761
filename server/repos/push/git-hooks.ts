import type { Duplex } from 'node:stream'
import { installHooks } from '@/server/kernel/git/git-hooks'
import { hooksFolder, type StorageConfig } from '../storage/paths'
import { maxPushOptionBytes, maxPushOptions, optionsFile, pushOptionsRefusal } from './options'

/** The environment variable that tells the hooks where the push's spool directory is. */
export const pushVariable = 'GUILDHALL_PUSH'

// One push of more keeps the site busy for minutes; a mirror is filled in several.
const maxRefs = 10_000

// Each list appears whole or not at all. What cannot be noted before is refused; what cannot be noted after, on a
// full disk, is marked by a rename, which needs no room. The first is on the disk before git moves a ref, wherever the
// system has a `sync` that takes names. Whether git may go on is settled by whoever holds the other end of file descriptor 3:
// when that process is gone, reading ends without an answer, which is a refusal. The options of a push are noted before the rest,
// so that they are there whenever that is.
const hooks = {
  'pre-receive': `#!/bin/sh
cd "$${pushVariable}" && cat >wanted.partial ||
  { echo 'The disk of this site takes no files: nothing was changed.' >&2; exit 1; }
[ "$(wc -l <wanted.partial)" -le ${maxRefs} ] || { echo 'Push at most ${maxRefs} branches and tags at once.' >&2; exit 1; }
count=\${GIT_PUSH_OPTION_COUNT:-0} at=0
if [ "$count" -gt 0 ]; then
[ "$count" -le ${maxPushOptions} ] || { echo '${pushOptionsRefusal}' >&2; exit 1; }
while [ "$at" -lt "$count" ]; do
eval 'printf "%s\\n" "$GIT_PUSH_OPTION_'"$at"'"' || exit 1
at=$((at + 1))
done >options.partial || exit 1
[ "$(wc -c <options.partial)" -le ${maxPushOptionBytes} ] || { echo '${pushOptionsRefusal}' >&2; exit 1; }
sync options.partial 2>/dev/null
mv options.partial ${optionsFile} || exit 1
fi
sync wanted.partial 2>/dev/null
mv wanted.partial wanted || exit 1
sync . 2>/dev/null
word= reason=
printf '?\\n' >&3 && read -r word reason <&3
[ "$word" = go ] && exit 0
rm -f wanted
printf '%s\\n' "\${reason:-The site stopped before it could say whether this push may go on: nothing was changed.}" >&2
exit 1
`,
  'post-receive': `#!/bin/sh
cd "$${pushVariable}" && { cat >done.partial && mv done.partial done || mv wanted unsure; }
`,
}

/**
 * Installs the hooks in the directory that git is configured with.
 * @throws {ConfigError} when they cannot be run there.
 */
export async function installPushHooks(config: StorageConfig): Promise<void> {
  await installHooks(hooksFolder(config), hooks)
}

const timeoutMs = 30_000
const tookTooLong = 'The site took too long to say whether this push may go on; try again.'

/**
 * Answers the hook that git runs when everything pushed is there and no ref has moved yet. `refusal` gives why the push
 * may not go on, or undefined; it is asked once. The push is refused when it fails, or takes longer than 30 seconds.
 */
export function answerPushHook(socket: Duplex, refusal: () => Promise<string | undefined>): void {
  // Git may end without a hook, and hooks without listening.
  socket.on('error', () => undefined)
  socket.once('data', async () => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>(resolve => {
      timer = setTimeout(resolve, timeoutMs, tookTooLong)
    })
    const reason = await Promise.race([refusal(), late]).catch(() => tookTooLong)
    clearTimeout(timer)
    socket.end(reason === undefined ? 'go\n' : `stop ${reason.replace(/\s+/g, ' ')}\n`)
  })
}
