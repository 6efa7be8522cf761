import type { Config } from '@/server/kernel/config'
import type { GitSettings } from '@/server/kernel/git/environment'
import { durableConfig } from '@/server/kernel/git/environment'
import { hooksFolder } from '@/server/repos/storage'

export const fetchSettings: GitSettings = {
  'uploadpack.allowFilter': 'true',
  // Version 2 of the protocol always does; a partial clone over an older one needs it to get its files later.
  'uploadpack.allowAnySHA1InWant': 'true',
  // Over HTTP, every commit can be had as an archive by its id.
  'uploadarchive.allowUnreachable': 'true',
}

/** Everything pushed is checked and durable before a ref leads to it; tidying up is left for later. */
export function pushSettings(config: Config): GitSettings {
  return {
    ...durableConfig,
    'core.hooksPath': hooksFolder(config),
    'transfer.fsckObjects': 'true',
    // Harmless faults of histories written by old tools: nobody can mend them without rewriting all since.
    'receive.fsck.badTimezone': 'ignore',
    'receive.fsck.missingSpaceBeforeDate': 'ignore',
    'receive.fsck.zeroPaddedFilemode': 'ignore',
    'receive.maxInputSize': String(config.maxPushBytes),
    // Always as one pack: unpacking a push holds every commit and tree of it in memory.
    'receive.unpackLimit': '1',
    // Others mean something to git or to people, who would not see them: git refuses these alone.
    'receive.hideRefs': ['refs/', '!refs/heads/', '!refs/tags/', '!refs/notes/'],
    'receive.advertisePushOptions': 'true',
    // A clone would find nothing to check out.
    'receive.denyDeleteCurrent': 'refuse',
    'receive.autogc': 'false',
    'gc.auto': '0',
  }
}
