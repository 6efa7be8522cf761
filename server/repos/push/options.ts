import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'

// Enough for the longest that clients of other forges send, such as the description of a merge request.
export const maxPushOptions = 100
export const maxPushOptionBytes = 64 * 1024

/** What a push with more of them is told. */
export const pushOptionsRefusal = `Push with at most ${maxPushOptions} options, of ${maxPushOptionBytes / 1024} KiB in all.`

/** The file in the spool directory of a push that its hook notes the options in, one on each line. */
export const optionsFile = 'options'

// As GitLab, SourceHut and their clients write it.
const skips = /^(?:ci\.skip|ci\.no_pipeline|ci-skip|skip-ci)(?:=(?:true|1|yes)?)?$/i

/** Whether a push in the spool asks for no workflows. Options that mean nothing here are passed over. */
export async function skipsWorkflows(directory: string): Promise<boolean> {
  const text = await readFile(join(directory, optionsFile), 'utf8').catch(undefinedIfAbsent)
  return text?.split('\n').some(option => skips.test(option.trim())) ?? false
}
