import { type Crowd, makeCrowd } from '@/db/testing/crowd'
import { adminEnvironment, dataDirectory, type Guildhall, start, withDatabase } from '../process/guildhall'
import { makePerson } from './people'

/** How many there are of each where lists are long. */
export const crowdSize = { people: 1_000, teams: 302, repositories: 1_000 }

/** A site with an organization of this size, owned by a person. */
export interface CrowdedSite extends Crowd, AsyncDisposable {
  url: string
  owner: string
}

/** Starts a site, fills it through its database, and starts it again. */
export async function crowdedSite(): Promise<CrowdedSite> {
  const directory = await dataDirectory()
  const environment = { GUILDHALL_DATA_DIR: directory.path, ...adminEnvironment }
  const empty = await start(environment)
  const owner = await makePerson(empty.url, 'olga')
  await empty.end('SIGTERM')
  const crowd = await withDatabase(directory.path, async ({ db }) => {
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
      await directory[Symbol.asyncDispose]()
    },
  }
}
