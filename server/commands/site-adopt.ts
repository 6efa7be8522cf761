import { parseArgs } from 'node:util'
import { createLog } from '@/server/kernel/log'
import { openStorage } from '@/server/kernel/storage/open'
import { adoptKey, adoptLocation, locationsOf, oneByOne } from '@/server/marks'
import { type Environment, openExisting, readEnvironment } from './environment'

/**
 * `site-adopt [--incomplete] [--foreign] [--new-key]`: records the configured repository directory and object
 * storage as those of this site, after they were moved deliberately. Returns the message to print.
 */
export async function adoptSite(args: string[], env: Environment): Promise<string> {
  const type = 'boolean'
  const options = { incomplete: { type }, foreign: { type }, 'new-key': { type } } as const
  const { values } = parseArgs({ args, options })
  const { incomplete = false, foreign = false, 'new-key': isNew = false } = values
  const environment = readEnvironment(env)
  const { dataDir, storage: settings, secretKey } = environment
  const storage = await openStorage(settings, createLog('silent'))
  const database = await openExisting(environment, { migrate: true })
  try {
    const results = await oneByOne(database, createLog('warn', process.stderr), async () => {
      const adopted = [await adoptKey(database.db, { secretKey, dataDir }, { isNew })]
      for (const location of locationsOf(environment, storage)) {
        adopted.push(await adoptLocation(database.db, location, { incomplete, foreign }))
      }
      return adopted
    })
    const lines = results.map(({ says }) => says).join('\n')
    if (results.some(({ isOwn }) => !isOwn)) throw new Error(lines)
    return lines
  } finally {
    await database.close()
  }
}
