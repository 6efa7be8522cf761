import type { Metadata } from 'next'
import { cache, type ReactNode } from 'react'
import { JobScreen } from '@/app/_features/actions/job-screen'
import { jobQuery } from '@/app/_features/actions/queries'
import { type RepositoryParams, requireActions, titleOf } from '@/app/_features/repos/read-repository'
import { Hydrate } from '@/app/_lib/hydrate'
import { decodeSegment } from '@/app/_lib/paths'
import { caller, currentSession, orNotFound } from '@/app/_lib/server'
import { visibleLine } from '@/app/_lib/visible-text'

interface JobPageProps {
  params: Promise<Awaited<RepositoryParams['params']> & { run: string; job: string }>
}

export async function generateMetadata(props: JobPageProps): Promise<Metadata> {
  const { username, repo, run, job } = await props.params
  const found = await readJob(decodeSegment(username), decodeSegment(repo), run, job).catch(() => null)
  return titleOf(props, found ? `${visibleLine(found.job.name)} · #${found.run.number}` : `Job ${job}`)
}

const readJob = cache(async (owner: string, repo: string, run: string, job: string) =>
  (await caller()).actions.runs.showJob({ owner, repo, run, job }),
)

export default async function JobPage({ params }: JobPageProps): Promise<ReactNode> {
  const { repository } = await requireActions(params)
  const [{ run, job }, session] = await Promise.all([params, currentSession()])
  const path = { owner: repository.owner.login, repo: repository.name }
  const found = await orNotFound(readJob(path.owner, path.repo, run, job))
  const ids = { run: found.run.id, job: found.job.id }
  return (
    <Hydrate entries={[[jobQuery(path, ids.run, ids.job), found]]}>
      <JobScreen repository={repository} {...ids} isFollowed={session !== null} />
    </Hydrate>
  )
}
