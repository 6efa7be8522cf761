import type { Metadata } from 'next'
import { cache, type ReactNode } from 'react'
import { runQuery } from '@/app/_features/actions/queries'
import { RunScreen } from '@/app/_features/actions/run-screen'
import { artifactsQuery } from '@/app/_features/artifacts/queries'
import { type RepositoryParams, requireActions, titleOf } from '@/app/_features/repos/read-repository'
import { Hydrate } from '@/app/_lib/hydrate'
import { decodeSegment, idIn } from '@/app/_lib/paths'
import {
  caller,
  currentSession,
  orNotFound,
  pageParam,
  type SearchParams,
  textParam,
} from '@/app/_lib/server'
import { visibleLine } from '@/app/_lib/visible-text'

interface RunPageProps {
  params: Promise<Awaited<RepositoryParams['params']> & { run: string }>
  searchParams: SearchParams
}

export async function generateMetadata(props: RunPageProps): Promise<Metadata> {
  const { username, repo, run } = await props.params
  const attempt = idIn(await textParam(props.searchParams, 'attempt'))
  const found = await readRun(decodeSegment(username), decodeSegment(repo), run, attempt).catch(() => null)
  return titleOf(props, found ? `${visibleLine(found.run.title)} #${found.run.number}` : `Run ${run}`)
}

const readRun = cache(async (owner: string, repo: string, run: string, attempt: number | undefined) =>
  (await caller()).actions.runs.show({ owner, repo, run, attempt }),
)

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
  const { artifacts } = await caller()
  const attempt = idIn(wanted)
  const found = await orNotFound(readRun(path.owner, path.repo, id, attempt))
  const run = found.run.id
  const choice = { run, attempt: found.attempt.number, page, q }
  const listed = await artifacts.contents.browse({ ...path, ...choice })
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
