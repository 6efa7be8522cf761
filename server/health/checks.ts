import type { Db } from '@/db/client'
import { type Unavailability, unavailabilityOf } from '@/db/unavailable'
import { requireWritable } from '@/db/writable'
import type { SharedServices } from '@/server/kernel/ctx'
import { findDiskTrouble } from '@/server/kernel/fs/disk-room'
import type { DiskTrouble } from '@/server/kernel/fs/disk-trouble'
import { settlesWithin } from '@/server/kernel/settles-within'

type Checked = Pick<SharedServices, 'db' | 'config' | 'ownLocations'>

/**
 * A check of something that the process needs to serve requests. It returns a phrase that describes the
 * problem, or undefined if there is none.
 */
type Check = (services: Checked) => Promise<string | undefined>

/** Checks by the name that `/readyz` uses for them, in the order in which they are reported. */
const checks: Record<string, Check> = {
  'the database': ({ db }) => checkDatabase(db),
  'the repository directory': async ({ config, ownLocations }) =>
    (await checkDisk(config.repositoryDir)) ?? (await ownLocations.findTrouble('repositories')),
  'the data directory': async ({ config }) => (config.databaseUrl ? undefined : checkDisk(config.dataDir)),
  'the object directory': async ({ config: { storage } }) =>
    storage.kind === 'disk' ? checkDisk(storage.directory) : undefined,
  'the object storage': ({ ownLocations }) => ownLocations.findTrouble('objects'),
}

const answerMs = 2_000
const looking = new WeakMap<Checked['ownLocations'], Map<Check, Promise<string | undefined>>>()

/**
 * Returns one sentence for each problem that keeps the process from serving requests; empty if there is none.
 */
export async function findTroubles(services: Checked): Promise<string[]> {
  const sentences = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const says = await saysInTime(services, check)
      return says && `${name} ${says}`
    }),
  )
  return sentences.filter(sentence => sentence !== undefined)
}

// A check that hangs is not started again, because it may occupy one of a few threads.
async function saysInTime(services: Checked, check: Check): Promise<string | undefined> {
  const underWay = looking.get(services.ownLocations) ?? new Map<Check, Promise<string | undefined>>()
  looking.set(services.ownLocations, underWay)
  const look = underWay.get(check) ?? check(services).finally(() => underWay.delete(check))
  underWay.set(check, look)
  return (await settlesWithin(answerMs, look)) ? await look : 'is not responding'
}

const ofDatabase: Record<Exclude<Unavailability, 'maintenance'>, string> = {
  away: 'cannot be reached',
  readOnly: 'is not accepting changes',
  full: 'has no space left on its disk',
  failing: 'is out of resources',
  outdated: 'was migrated by a newer version, so this process can no longer write to it',
}

async function checkDatabase(db: Db): Promise<string | undefined> {
  try {
    await requireWritable(db)
    return undefined
  } catch (error) {
    const why = unavailabilityOf(error) ?? 'away'
    // Reads go on, as they should.
    return why === 'maintenance' ? undefined : ofDatabase[why]
  }
}

const ofDisk: Record<DiskTrouble, string> = {
  full: 'has no space left on its disk',
  readOnly: 'is not accepting changes',
  failing: 'cannot be read or written',
}

async function checkDisk(directory: string): Promise<string | undefined> {
  const trouble = await findDiskTrouble(directory)
  return trouble && ofDisk[trouble]
}
