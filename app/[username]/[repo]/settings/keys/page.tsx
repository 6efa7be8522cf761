import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { DeployKeysScreen } from '@/app/_features/deploy-keys/deploy-keys-screen'
import { type RepositoryParams, repositoryAt, titleOf } from '@/app/_features/repos/read-repository'
import { Hydrate } from '@/app/_lib/hydrate'
import { keyList } from '@/app/_lib/lists'
import { deployKeysQuery } from '@/app/_lib/queries/keys'
import { caller, listChoiceIn, type SearchParams } from '@/app/_lib/server'

interface DeployKeysPageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Deploy keys')

export default async function DeployKeysPage({
  params,
  searchParams,
}: DeployKeysPageProps): Promise<ReactNode> {
  const { username, repo } = await params
  const { repository } = await repositoryAt(username, repo)
  const path = { owner: repository.owner.login, repo: repository.name }
  const choice = await listChoiceIn(searchParams, keyList)
  const keys = await (await caller()).keys.deploy.browse({ ...path, ...choice })

  return (
    <Hydrate entries={[[deployKeysQuery(path, choice), keys]]}>
      <DeployKeysScreen path={path} sshUrl={repository.ssh_url} />
    </Hydrate>
  )
}
