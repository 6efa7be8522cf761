import 'server-only'
import { NewRunnerScreen } from '@/app/_features/runners/new-runner-screen'
import { registeredQuery, setUpQuery } from '@/app/_features/runners/queries'
import type { ScopeOf } from '@/app/_features/scopes/read-scope'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller, instanceStatus, textParam } from '@/app/_lib/server'
import type { RunnersPage } from './list-page'

/** Creates the page that shows how to set up a runner. */
export function newPage<Params>(scopeOf: ScopeOf<Params>): RunnersPage<Params> {
  return async ({ params, searchParams }) => {
    const { scope, topics } = await scopeOf(await params)
    const method = await textParam(searchParams, 'with')
    const labels = (await textParam(searchParams, 'labels')).slice(0, 500)
    const { base_url } = await instanceStatus()
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
