import type { Config } from '@/server/kernel/config'
import type { GitSettings } from '@/server/kernel/git/environment'
import { durable } from '@/server/kernel/git/settings'
import { hooksFolder } from '@/server/repos/git'

// Large files are streamed rather than held in memory and compared with others.
const frugal: GitSettings = { 'core.bigFileThreshold': '32m', 'pack.windowMemory': '64m' }

export const fetchSettings: GitSettings = {
  ...frugal,
  'uploadpack.allowFilter': 'true',
  // Version 2 of the protocol always does; a partial clone over an older one needs it to get its files later.
  'uploadpack.allowAnySHA1InWant': 'true',
}

/** Everything pushed is checked and durable before a ref leads to it; tidying up is left for later. */
export function pushSettings(config: Config): GitSettings {
  return {
    ...frugal,
    ...durable,
    'core.hooksPath': hooksFolder(config),
    'transfer.fsckObjects': 'true',
    // Harmless faults of histories written by old tools: nobody can mend them without rewriting all since.
    'receive.fsck.badTimezone': 'ignore',
    'receive.fsck.missingSpaceBeforeDate': 'ignore',
    'receive.fsck.zeroPaddedFilemode': 'ignore',
    'receive.maxInputSize': String(config.maxPushBytes),
    // Up to so many objects are kept as single files, each synced to the disk; more come as one pack.
    'receive.unpackLimit': '20',
    'receive.advertisePushOptions': 'false',
    // A clone would find nothing to check out.
    'receive.denyDeleteCurrent': 'refuse',
    'receive.autogc': 'false',
    'gc.auto': '0',
  }
}
