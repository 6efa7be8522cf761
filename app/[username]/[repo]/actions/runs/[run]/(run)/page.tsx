import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { runQuery } from '@/app/_features/actions/queries'
import { RunScreen } from '@/app/_features/actions/run-screen'
import { artifactsQuery } from '@/app/_features/artifacts/queries'
import { type RepositoryParams, requireActions, titleOf } from '@/app/_features/repos/read-repository'
import { Hydrate } from '@/app/_lib/hydrate'
import { idIn } from '@/app/_lib/paths'
import {
  caller,
  currentSession,
  orNotFound,
  pageParam,
  type SearchParams,
  textParam,
} from '@/app/_lib/server'

interface RunPageProps {
  params: Promise<Awaited<RepositoryParams['params']> & { run: string }>
  searchParams: SearchParams
}

export const generateMetadata = async (props: RunPageProps): Promise<Metadata> =>
  titleOf(props, `Run ${(await props.params).run}`)

export default async function RunPage({ params, searchParams }: RunPageProps): Promise<ReactNode> {
  const { repository } = await requireActions(params)
  const [{ run: id }, session, page, q, wanted] = await Promise.all([
    params,
    currentSession(),
    pageParam(searchParams),
    textParam(searchParams, 'q'),
    textParam(searchParams, 'attempt'),
  ])
  const path = { owner: repository.owner.login, repo: repository.name }
  const { actions, artifacts } = await caller()
  const attempt = idIn(wanted)
  const found = await orNotFound(actions.pages.show({ ...path, run: id, attempt }))
  const run = found.run.id
  const choice = { run, attempt: found.attempt.number, page, q }
  const listed = await artifacts.pages.browse({ ...path, ...choice })
  return (
    <Hydrate
      entries={[
        [runQuery(path, run, attempt), found],
        [artifactsQuery(path, choice), listed],
      ]}
    >
      <RunScreen
        repository={repository}
        run={run}
        attempt={attempt}
        artifacts={{ page, q }}
        isFollowed={session !== null}
      />
    </Hydrate>
  )
}
