import type { Metadata } from 'next'
import { cache, type ReactNode } from 'react'
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
import { visibleLine } from '@/app/_lib/visible-text'

interface ArtifactPageProps {
  params: Promise<Awaited<RepositoryParams['params']> & { run: string; artifact: string }>
}

export async function generateMetadata(props: ArtifactPageProps): Promise<Metadata> {
  const { username, repo, run, artifact } = await props.params
  const named = decodeSegment(artifact)
  const found = await readArtifact(decodeSegment(username), decodeSegment(repo), run, named).catch(() => null)
  return titleOf(props, visibleLine(found ? found.artifact.name : named))
}

const readArtifact = cache(async (owner: string, repo: string, run: string, artifact: string) =>
  (await caller()).artifacts.contents.show({ owner, repo, run, artifact }),
)

export default async function ArtifactPage({ params }: ArtifactPageProps): Promise<ReactNode> {
  const { repository } = await requireActions(params)
  const [named, session] = await Promise.all([params, currentSession()])
  const path = { owner: repository.owner.login, repo: repository.name }
  const artifact = decodeSegment(named.artifact)
  const found = await orNotFound(readArtifact(path.owner, path.repo, named.run, artifact))
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
