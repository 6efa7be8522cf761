import type { Duplex } from 'node:stream'
import { installHooks } from '@/server/kernel/git/git-hooks'
import { hooksFolder, type StorageConfig } from '../storage/paths'
import { maxPushOptionBytes, maxPushOptions, optionsFile, pushOptionsRefusal } from './options'

/** The environment variable with the path of the push's spool directory, which the Git hooks read. */
export const pushVariable = 'GUILDHALL_PUSH'

// A larger push would keep the server busy for minutes. Mirrors can be filled in several pushes.
const maxRefs = 10_000

// Each list is written completely or not at all. If the requested updates cannot be written, the push is
// rejected. If the completed updates cannot be written because the disk is full, a rename marks that, as it
// needs no space. The requested updates are synced before Git moves a ref, if the system's `sync` accepts
// file names. The process at the other end of file descriptor 3 decides whether Git can proceed: if that
// process has ended, the read fails and the push is rejected. Push options are written first, so they exist
// whenever the requested updates do.
const hooks = {
  'pre-receive': `#!/bin/sh
cd "$${pushVariable}" && cat >wanted.partial ||
  { echo 'The server cannot write to its disk: nothing was changed.' >&2; exit 1; }
[ "$(wc -l <wanted.partial)" -le ${maxRefs} ] || { echo 'Push at most ${maxRefs} branches and tags at a time.' >&2; exit 1; }
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
printf '%s\\n' "$GIT_QUARANTINE_PATH" >&3 && read -r word reason <&3
[ "$word" = go ] && exit 0
rm -f wanted
printf '%s\\n' "\${reason:-The server stopped before it could accept this push: nothing was changed.}" >&2
exit 1
`,
  'post-receive': `#!/bin/sh
cd "$${pushVariable}" && { cat >done.partial && mv done.partial done || mv wanted unsure; }
`,
}

/**
 * Installs the pre-receive and post-receive hooks in the directory to which Git's `core.hooksPath` points.
 * @throws {ConfigError} if hooks cannot be executed there.
 */
export async function installPushHooks(config: StorageConfig): Promise<void> {
  await installHooks(hooksFolder(config), hooks)
}

const timeoutMs = 30_000
const tookTooLong = 'The server took too long to check this push; try again.'

/**
 * Tells the pre-receive hook at the other end of the socket whether to accept the push. `refusal` is called
 * once, with the directory of the objects that arrived, or an empty text if none did. It returns the reason to
 * reject the push, or undefined to accept it. The push is also rejected if `refusal` fails or takes longer than
 * 30 seconds.
 */
export function answerPushHook(
  socket: Duplex,
  refusal: (quarantine: string) => Promise<string | undefined>,
): void {
  // Git can end without running the hook, and a hook can end without reading.
  socket.on('error', () => undefined)
  let asked = ''
  socket.on('data', async (chunk: Buffer) => {
    const isWhole = asked.endsWith('\n')
    asked += chunk
    if (isWhole || !asked.endsWith('\n')) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>(resolve => {
      timer = setTimeout(resolve, timeoutMs, tookTooLong)
    })
    const reason = await Promise.race([refusal(asked.slice(0, -1)), late]).catch(() => tookTooLong)
    clearTimeout(timer)
    socket.end(reason === undefined ? 'go\n' : `stop ${reason.replace(/\s+/g, ' ')}\n`)
  })
}
