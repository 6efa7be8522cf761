import 'server-only'
import type { Metadata } from 'next'
import type { PlaceOf } from '@/app/_features/places/read-place'
import { runnerJobsQuery, runnerQuery } from '@/app/_features/runners/queries'
import { RunnerScreen } from '@/app/_features/runners/runner-screen'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller, orNotFound, pageParam } from '@/app/_lib/server'
import { visibleLine } from '@/app/_lib/visible-text'
import type { RunnersPage } from './list-page'

type MetadataOf<Params> = (props: { params: Promise<Params> }) => Promise<Metadata>

/** The title of the page of one runner. */
export function runnerMetadata<Params>(placeOf: PlaceOf<Params>): MetadataOf<Params & { id: string }> {
  return async ({ params }) => {
    // What is wrong is for the page to say.
    const runner = await readRunner(placeOf, await params).catch(() => undefined)
    return { title: runner ? `${visibleLine(runner.name)} · Runner` : 'Runner' }
  }
}

async function readRunner<Params>(
  placeOf: PlaceOf<Params>,
  named: Params & { id: string },
): Promise<{ name: string }> {
  const { place } = await placeOf(named)
  return (await caller()).runners.pages.get({ place, id: named.id })
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
