import 'server-only'
import type { ReactNode } from 'react'
import type { PlaceOf } from '@/app/_features/places/read-place'
import { NewRunnerScreen } from '@/app/_features/runners/new-runner-screen'
import {
  demandQuery,
  registeredQuery,
  runnerJobsQuery,
  runnerQuery,
  runnersQuery,
  setUpQuery,
} from '@/app/_features/runners/queries'
import { RunnerScreen } from '@/app/_features/runners/runner-screen'
import { RunnersScreen } from '@/app/_features/runners/runners-screen'
import { Hydrate } from '@/app/_lib/hydrate'
import {
  caller,
  instanceStatus,
  orNotFound,
  pageParam,
  type SearchParams,
  textParam,
} from '@/app/_lib/server'

/** A page below a route that says whose runners it shows. */
type RunnersPage<Params> = (props: {
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

/** The page that tells how to set up a runner. */
export function newPage<Params>(placeOf: PlaceOf<Params>): RunnersPage<Params> {
  return async ({ params, searchParams }) => {
    const { place, topics } = await placeOf(await params)
    const way = await textParam(searchParams, 'with')
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
          way={way === 'docker' || way === 'systemd' ? way : 'program'}
          baseUrl={base_url}
        />
      </Hydrate>
    )
  }
}

/** The page of one runner. */
export function runnerPage<Params>(placeOf: PlaceOf<Params>): RunnersPage<Params & { id: string }> {
  return async ({ params, searchParams }) => {
    const named = await params
    const { place, topics } = await placeOf(named)
    const page = await pageParam(searchParams)
    const { pages } = (await caller()).runners
    const runner = await orNotFound(pages.get({ place, id: named.id }))
    const name = { place, id: runner.id }
    const jobs = await pages.listJobs({ ...name, page, limit: 20 })
    return (
      <Hydrate
        entries={[
          [runnerQuery(name), runner],
          [runnerJobsQuery(name, page), jobs],
        ]}
      >
        <RunnerScreen name={name} topics={topics} page={page} />
      </Hydrate>
    )
  }
}
