import 'server-only'
import { HooksScreen } from '@/app/_features/hooks/hooks-screen'
import type { PlaceOf } from '@/app/_features/places/read-place'
import { Hydrate } from '@/app/_lib/hydrate'
import { hooksQuery } from '@/app/_lib/queries/hooks'
import { caller, pageParam } from '@/app/_lib/server'
import { type HooksPage, unlessOff } from './hooks-page'

/** The page that lists the hooks of a place. */
export function listPage<Params>(placeOf: PlaceOf<Params>): HooksPage<Params> {
  return async ({ params, searchParams }) => {
    const { place, topics } = await placeOf(await params)
    const page = await pageParam(searchParams)
    return await unlessOff(place, async () => {
      const hooks = await (await caller()).hooks.browse({ place, page })
      return (
        <Hydrate entries={[[hooksQuery(place, page), hooks]]}>
          <HooksScreen place={place} topics={topics} page={page} />
        </Hydrate>
      )
    })
  }
}
