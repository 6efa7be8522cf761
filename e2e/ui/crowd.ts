import { type Crowd, makeCrowd } from '@/db/testing/crowd'
import { adminEnvironment, type Guildhall, start, withDatabase } from '../process/guildhall'
import { makePerson } from './people'
import { siteData } from './site'

/** Number of people, teams and repositories for tests of long lists. */
export const crowdSize = { people: 1_000, teams: 302, repositories: 1_000 }

/** A site with an organization of `crowdSize` that belongs to the user `owner`. */
export interface CrowdedSite extends Crowd, AsyncDisposable {
  url: string
  owner: string
}

/** Starts a site, stops it to fill its database, and starts it again. */
export async function crowdedSite(): Promise<CrowdedSite> {
  const data = await siteData()
  const environment = { ...data.environment, ...adminEnvironment }
  const empty = await start(environment)
  const owner = await makePerson(empty.url, 'olga')
  await empty.end('SIGTERM')
  const { GUILDHALL_DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = data.environment
  const crowd = await withDatabase({ dataDir, databaseUrl }, async ({ db }) => {
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('name', '=', owner)
      .executeTakeFirstOrThrow()
    return await makeCrowd(db, id, crowdSize)
  })
  const guildhall: Guildhall = await start(environment)
  return {
    ...crowd,
    url: guildhall.url,
    owner,
    [Symbol.asyncDispose]: async () => {
      await guildhall.end('SIGTERM')
      await data[Symbol.asyncDispose]()
    },
  }
}
