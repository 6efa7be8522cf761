import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { DangerZone } from '@/app/_components/danger-zone'
import { PageHeading } from '@/app/_components/page-heading'
import { type RepositoryParams, repositoryAt, titleOf } from '@/app/_features/repos/read-repository'
import { ArchiveSection, DeleteSection, VisibilitySection } from '@/app/_features/repos/settings/danger-zone'
import { GeneralForm } from '@/app/_features/repos/settings/general-form'
import { TransferSection } from '@/app/_features/repos/settings/transfer-section'
import { caller } from '@/app/_lib/server'

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Settings')

export default async function SettingsPage({ params }: RepositoryParams): Promise<ReactNode> {
  const { username, repo } = await params
  const home = await repositoryAt(username, repo)
  const { repository, may_delete: mayDelete } = home
  const branches = await (await caller()).repos.branches.listNames({
    owner: repository.owner.login,
    repo: repository.name,
  })

  return (
    <>
      <PageHeading title="Settings" level={2}>
        Rename, archive, transfer, or delete this repository, or change its visibility.
      </PageHeading>
      <GeneralForm key={repository.full_name} repository={repository} branches={branches} />
      <DangerZone>
        <VisibilitySection repository={repository} />
        <ArchiveSection repository={repository} />
        <TransferSection home={home} />
        <DeleteSection repository={repository} mayDelete={mayDelete} />
      </DangerZone>
    </>
  )
}
