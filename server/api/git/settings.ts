import type { Config } from '@/server/kernel/config'
import type { GitSettings } from '@/server/kernel/git/environment'
import { durableConfig } from '@/server/kernel/git/environment'
import { hooksFolder } from '@/server/repos/storage'

export const fetchSettings: GitSettings = {
  'uploadpack.allowFilter': 'true',
  // Always the case in protocol version 2. A partial clone over an older version needs it to fetch its files later.
  'uploadpack.allowAnySHA1InWant': 'true',
  // Over HTTP, every commit can be downloaded as an archive by its ID.
  'uploadarchive.allowUnreachable': 'true',
}

/**
 * Git settings for pushes: everything is checked and durable before a ref points to it, and maintenance is left for
 * later.
 */
export function pushSettings(config: Config): GitSettings {
  return {
    ...durableConfig,
    'core.hooksPath': hooksFolder(config),
    'transfer.fsckObjects': 'true',
    // Harmless faults in histories written by old tools, which could be corrected only by rewriting all commits since.
    'receive.fsck.badTimezone': 'ignore',
    'receive.fsck.missingSpaceBeforeDate': 'ignore',
    'receive.fsck.zeroPaddedFilemode': 'ignore',
    'receive.maxInputSize': String(config.maxPushBytes),
    // Always as one pack: unpacking a push would hold all of its commits and trees in memory.
    'receive.unpackLimit': '1',
    // Other refs have a meaning for Git or are invisible to people. Git refuses only these.
    'receive.hideRefs': ['refs/', '!refs/heads/', '!refs/tags/', '!refs/notes/'],
    'receive.advertisePushOptions': 'true',
    // A clone would find nothing to check out.
    'receive.denyDeleteCurrent': 'refuse',
    'receive.autogc': 'false',
    'gc.auto': '0',
  }
}
