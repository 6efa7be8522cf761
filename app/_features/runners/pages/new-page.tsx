import 'server-only'
import type { PlaceOf } from '@/app/_features/places/read-place'
import { NewRunnerScreen } from '@/app/_features/runners/new-runner-screen'
import { registeredQuery, setUpQuery } from '@/app/_features/runners/queries'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller, instanceStatus, textParam } from '@/app/_lib/server'
import type { RunnersPage } from './list-page'

/** The page that tells how to set up a runner. */
export function newPage<Params>(placeOf: PlaceOf<Params>): RunnersPage<Params> {
  return async ({ params, searchParams }) => {
    const { place, topics } = await placeOf(await params)
    const method = await textParam(searchParams, 'with')
    const labels = (await textParam(searchParams, 'labels')).slice(0, 500)
    const { base_url } = await instanceStatus()
    const setUp = await (await caller()).runners.pages.setUp({ place })
    return (
      <Hydrate
        entries={[
          [setUpQuery(place), setUp],
          [registeredQuery(place, setUp.last_id), []],
        ]}
      >
        <NewRunnerScreen
          place={place}
          topics={topics}
          method={method === 'docker' || method === 'systemd' ? method : 'program'}
          baseUrl={base_url}
          labels={labels}
        />
      </Hydrate>
    )
  }
}
