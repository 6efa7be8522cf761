import 'server-only'
import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { ServerIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { NewRunnerScreen } from '@/app/_features/runners/new-runner-screen'
import { registeredQuery, runnersPath, setUpQuery } from '@/app/_features/runners/queries'
import type { ScopeOf } from '@/app/_features/scopes/read-scope'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller, instanceStatus, textParam } from '@/app/_lib/server'
import type { ScopeName } from '@/server/scopes/schema'
import type { RunnersPage } from './list-page'

/** Creates the page that shows how to set up a runner. */
export function newPage<Params>(scopeOf: ScopeOf<Params>): RunnersPage<Params> {
  return async ({ params, searchParams }) => {
    const { scope, topics } = await scopeOf(await params)
    const method = await textParam(searchParams, 'with')
    const labels = (await textParam(searchParams, 'labels')).slice(0, 500)
    const { base_url, read_only } = await instanceStatus()
    if (read_only) return <NotNow scope={scope} />
    const setUp = await (await caller()).runners.manage.setUp({ scope })
    return (
      <Hydrate
        entries={[
          [setUpQuery(scope), setUp],
          [registeredQuery(scope, setUp.last_id), []],
        ]}
      >
        <NewRunnerScreen
          scope={scope}
          topics={topics}
          method={method === 'docker' || method === 'systemd' ? method : 'program'}
          baseUrl={base_url}
          labels={labels}
        />
      </Hydrate>
    )
  }
}

// The commands contain a token, which cannot be created then.
const NotNow = ({ scope }: { scope: ScopeName }): ReactNode => (
  <EmptyState
    icon={ServerIcon}
    title="Runners cannot be added during maintenance"
    action={<ButtonLink href={runnersPath(scope)}>Go to the runners</ButtonLink>}
  />
)
