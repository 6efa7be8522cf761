import 'server-only'
import type { ReactNode } from 'react'
import type { ScopeOf } from '@/app/_features/scopes/read-scope'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller, pageParam, type SearchParams } from '@/app/_lib/server'
import { type VariableKind, variablesQuery } from './queries'
import { VariablesScreen } from './variables-screen'

interface PageProps<Params> {
  params: Promise<Params>
  searchParams: SearchParams
}

/** Creates the page of the secrets or variables of a route's scope. */
export function variablesPage<Params>(
  kind: VariableKind,
  scopeOf: ScopeOf<Params>,
): (props: PageProps<Params>) => Promise<ReactNode> {
  return async ({ params, searchParams }) => {
    const { scope, topics } = await scopeOf(await params)
    const page = await pageParam(searchParams)
    const list = { scope, kind }
    const variables = await (await caller()).secrets.browse({ ...list, page })
    return (
      <Hydrate entries={[[variablesQuery(list, page), variables]]}>
        <VariablesScreen list={list} topics={topics} page={page} />
      </Hydrate>
    )
  }
}
