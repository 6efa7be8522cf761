import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'

// Large enough for the longest options that clients of other forges send, such as merge request descriptions.
export const maxPushOptions = 100
export const maxPushOptionBytes = 64 * 1024

/** The error message for a push with too many or too long push options. */
export const pushOptionsRefusal = `Use at most ${maxPushOptions} push options, with a maximum of ${maxPushOptionBytes / 1024} KiB in total.`

/** The file in a push's spool directory to which the hook writes the push options, one per line. */
export const optionsFile = 'options'

// The push options of GitLab, SourceHut and their clients that skip workflows.
const skips = /^(?:ci\.skip|ci\.no_pipeline|ci-skip|skip-ci)(?:=(?:true|1|yes)?)?$/i

/** Returns whether a push in the spool has an option that skips workflows. Unknown options are ignored. */
export async function skipsWorkflows(directory: string): Promise<boolean> {
  const text = await readFile(join(directory, optionsFile), 'utf8').catch(undefinedIfAbsent)
  return text?.split('\n').some(option => skips.test(option.trim())) ?? false
}
