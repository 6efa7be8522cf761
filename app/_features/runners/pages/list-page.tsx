import 'server-only'
import type { ReactNode } from 'react'
import type { PlaceOf } from '@/app/_features/places/read-place'
import { demandQuery, runnersQuery } from '@/app/_features/runners/queries'
import { RunnersScreen } from '@/app/_features/runners/runners-screen'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller, pageParam, type SearchParams } from '@/app/_lib/server'

/** A page below a route that says whose runners it shows. */
export type RunnersPage<Params> = (props: {
  params: Promise<Params>
  searchParams: SearchParams
}) => Promise<ReactNode>

/** The page that lists the runners of a place. */
export function listPage<Params>(placeOf: PlaceOf<Params>): RunnersPage<Params> {
  return async ({ params, searchParams }) => {
    const { place, topics } = await placeOf(await params)
    const page = await pageParam(searchParams)
    const { pages } = (await caller()).runners
    const [runners, demand] = await Promise.all([
      pages.browse({ place, page }),
      pages.browseDemand({ place }),
    ])
    return (
      <Hydrate
        entries={[
          [runnersQuery(place, page), runners],
          [demandQuery(place), demand],
        ]}
      >
        <RunnersScreen place={place} topics={topics} page={page} />
      </Hydrate>
    )
  }
}
