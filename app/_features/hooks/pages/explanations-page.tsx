import 'server-only'
import { ExplanationsScreen } from '@/app/_features/hooks/explanations-screen'
import type { PlaceOf } from '@/app/_features/places/read-place'
import { Hydrate } from '@/app/_lib/hydrate'
import { hookEventsQuery } from '@/app/_lib/queries/hooks'
import { caller, cursorParam } from '@/app/_lib/server'
import { type HooksPage, unlessOff } from './hooks-page'

/** The page that tells why hooks were told of something, or were not. */
export function explanationsPage<Params>(placeOf: PlaceOf<Params>): HooksPage<Params> {
  return async ({ params, searchParams }) => {
    const { place, topics } = await placeOf(await params)
    const cursor = await cursorParam(searchParams)
    return await unlessOff(place, async () => {
      const events = await (await caller()).hooks.listEvents({ place, cursor })
      return (
        <Hydrate entries={[[hookEventsQuery(place, cursor), events]]}>
          <ExplanationsScreen place={place} topics={topics} cursor={cursor} />
        </Hydrate>
      )
    })
  }
}
