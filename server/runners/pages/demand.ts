import { sql } from 'kysely'
import type { Db } from '@/db/client'
import type { UserCtx } from '@/server/kernel/ctx'
import type { Place, PlaceFor } from '@/server/places'
import { onlineMs, pausedAt } from '../state'
import { countWaitingJobs } from '../waiting/demand'
import type { BrowsedDemand } from './schema'

const maxShown = 20

/** Counts the jobs that wait for runners of a place by their labels, and tells whether a runner could take them now. */
export async function browseDemand(ctx: UserCtx, place: PlaceFor): Promise<BrowsedDemand[]> {
  const { demand } = await countWaitingJobs(ctx, place, undefined)
  const offered = demand.length > 0 ? await selectOfferedLabels(ctx.db, place, ctx.clock.now()) : []
  return demand.slice(0, maxShown).map(wanted => ({
    ...wanted,
    served: offered.some(labels => wanted.labels.every(label => labels.includes(label))),
  }))
}

/** Selects the labels of the runners that could be given jobs of a place now, those of its owner and the site included. */
async function selectOfferedLabels(db: Db, place: Place, now: Date): Promise<string[][]> {
  const rows = await db
    .selectFrom('runners')
    .select('labels')
    .distinct()
    .where('retired_at', 'is', null)
    .where('last_online_at', '>=', new Date(now.getTime() - onlineMs))
    .where(sql<boolean>`not ${pausedAt(now)}`)
    .$if(place.scope !== 'site', query =>
      query.where(({ or, and, eb }) =>
        or([
          and([eb('owner_id', 'is', null), eb('repository_id', 'is', null)]),
          ...(place.scope === 'site' ? [] : [eb('owner_id', '=', place.ownerId)]),
          ...(place.scope === 'repository' ? [eb('repository_id', '=', place.repositoryId)] : []),
        ]),
      ),
    )
    .execute()
  return rows.map(({ labels }) => labels)
}
