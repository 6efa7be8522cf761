import 'server-only'
import type { ReactNode } from 'react'
import type { PlaceOf } from '@/app/_features/places/read-place'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller, pageParam, type SearchParams } from '@/app/_lib/server'
import { type VariableKind, variablesQuery } from './queries'
import { VariablesScreen } from './variables-screen'

interface PageProps<Params> {
  params: Promise<Params>
  searchParams: SearchParams
}

/** The page with the secrets, or the variables, of the place that a route names. */
export function variablesPage<Params>(
  kind: VariableKind,
  placeOf: PlaceOf<Params>,
): (props: PageProps<Params>) => Promise<ReactNode> {
  return async ({ params, searchParams }) => {
    const { place, topics } = await placeOf(await params)
    const page = await pageParam(searchParams)
    const list = { place, kind }
    const variables = await (await caller()).secrets.browse({ ...list, page })
    return (
      <Hydrate entries={[[variablesQuery(list, page), variables]]}>
        <VariablesScreen list={list} topics={topics} page={page} />
      </Hydrate>
    )
  }
}
