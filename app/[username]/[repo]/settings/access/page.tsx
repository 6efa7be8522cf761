import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { CollaboratorsSection } from '@/app/_features/repos/access/collaborators-section'
import { ExplanationPanel } from '@/app/_features/repos/access/explanation-panel'
import { TeamsSection } from '@/app/_features/repos/access/teams-section'
import { type RepositoryParams, repositoryAt, titleOf } from '@/app/_features/repos/read-repository'
import { Hydrate } from '@/app/_lib/hydrate'
import { accessQuery, collaboratorsQuery, repositoryTeamsQuery } from '@/app/_lib/queries/repositories'
import { caller, pageParam, type SearchParams, textParam } from '@/app/_lib/server'
import { isDomainError } from '@/server/kernel/errors'

interface AccessPageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Access')

export default async function AccessPage({ params, searchParams }: AccessPageProps): Promise<ReactNode> {
  const { username, repo } = await params
  const { repository } = await repositoryAt(username, repo)
  const path = { owner: repository.owner.login, repo: repository.name }
  const [page, why] = await Promise.all([pageParam(searchParams), textParam(searchParams, 'why')])
  const { repos, teams } = await caller()
  const [collaborators, attached, explanation] = await Promise.all([
    repos.collaborators.listWithModes({ ...path, page }),
    orNoTeams(teams.browseOfRepository(path)),
    // On an error, such as an unknown username, the panel in the browser repeats the query and shows the
    // error.
    why ? repos.explainAccess({ ...path, username: why }).catch(() => undefined) : undefined,
  ])

  return (
    <Hydrate
      entries={[
        [collaboratorsQuery(path, page), collaborators],
        ...(attached ? [[repositoryTeamsQuery(path), attached] as const] : []),
        ...(explanation ? [[accessQuery(path, why), explanation] as const] : []),
      ]}
    >
      <PageHeading title="Access" level={2}>
        See who has access to this repository and why.
      </PageHeading>
      <ExplanationPanel path={path} subject={repository} />
      <CollaboratorsSection path={path} page={page} />
      {attached ? <TeamsSection path={path} /> : null}
    </Hydrate>
  )
}

/** Returns undefined for a person's repository, because only organizations have teams. */
async function orNoTeams<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && isDomainError(error.cause) && error.cause.kind === 'methodNotAllowed')
      return
    throw error
  }
}
