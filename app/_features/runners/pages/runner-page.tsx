import 'server-only'
import type { Metadata } from 'next'
import { runnerJobsQuery, runnerQuery } from '@/app/_features/runners/queries'
import { RunnerScreen } from '@/app/_features/runners/runner-screen'
import type { ScopeOf } from '@/app/_features/scopes/read-scope'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller, orNotFound, pageParam } from '@/app/_lib/server'
import { visibleLine } from '@/app/_lib/visible-text'
import type { RunnersPage } from './list-page'

type MetadataOf<Params> = (props: { params: Promise<Params> }) => Promise<Metadata>

/** Creates the metadata function for the page of a single runner. */
export function runnerMetadata<Params>(scopeOf: ScopeOf<Params>): MetadataOf<Params & { id: string }> {
  return async ({ params }) => {
    // The page itself shows the error.
    const runner = await readRunner(scopeOf, await params).catch(() => undefined)
    return { title: runner ? `${visibleLine(runner.name)} · Runner` : 'Runner' }
  }
}

async function readRunner<Params>(
  scopeOf: ScopeOf<Params>,
  named: Params & { id: string },
): Promise<{ name: string }> {
  const { scope } = await scopeOf(named)
  return (await caller()).runners.manage.get({ scope, id: named.id })
}

/** Creates the page of a single runner. */
export function runnerPage<Params>(scopeOf: ScopeOf<Params>): RunnersPage<Params & { id: string }> {
  return async ({ params, searchParams }) => {
    const named = await params
    const { scope, topics } = await scopeOf(named)
    const page = await pageParam(searchParams)
    const { manage } = (await caller()).runners
    const runner = await orNotFound(manage.get({ scope, id: named.id }))
    const name = { scope, id: runner.id }
    const jobs = await manage.listJobs({ ...name, page, limit: 20 })
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
