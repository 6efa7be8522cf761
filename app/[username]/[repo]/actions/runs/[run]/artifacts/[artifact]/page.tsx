import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ArtifactScreen } from '@/app/_features/artifacts/artifact-screen'
import { artifactQuery } from '@/app/_features/artifacts/queries'
import {
  type RepositoryParams,
  requireActions,
  siteUrlOf,
  titleOf,
} from '@/app/_features/repos/read-repository'
import { Hydrate } from '@/app/_lib/hydrate'
import { decodeSegment } from '@/app/_lib/paths'
import { caller, currentSession, orNotFound } from '@/app/_lib/server'

interface ArtifactPageProps {
  params: Promise<Awaited<RepositoryParams['params']> & { run: string; artifact: string }>
}

export const generateMetadata = async (props: ArtifactPageProps): Promise<Metadata> =>
  titleOf(props, decodeSegment((await props.params).artifact))

export default async function ArtifactPage({ params }: ArtifactPageProps): Promise<ReactNode> {
  const { repository } = await requireActions(params)
  const [named, session] = await Promise.all([params, currentSession()])
  const path = { owner: repository.owner.login, repo: repository.name }
  const artifact = decodeSegment(named.artifact)
  const { artifacts } = await caller()
  const found = await orNotFound(artifacts.pages.show({ ...path, run: named.run, artifact }))
  return (
    <Hydrate entries={[[artifactQuery(path, found.run.id, artifact), found]]}>
      <ArtifactScreen
        repository={repository}
        run={found.run.id}
        artifact={artifact}
        isFollowed={session !== null}
        baseUrl={siteUrlOf(repository)}
      />
    </Hydrate>
  )
}
