import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import styles from '@/app/_features/repos/new/new.module.css'
import { NewRepositoryForm } from '@/app/_features/repos/new/new-repository-form'
import { isSame, possibleOwners } from '@/app/_features/repos/new/owners'
import { requireSession } from '@/app/_lib/guards'
import { type SearchParams, textParam } from '@/app/_lib/search-params'
import { caller, instanceStatus } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'New repository' }

export default async function NewPage({ searchParams }: { searchParams: SearchParams }): Promise<ReactNode> {
  const { user } = await requireSession()
  const [wanted, { base_url }, gitignores] = await Promise.all([
    textParam(searchParams, 'owner'),
    instanceStatus(),
    caller().then(({ repos }) => repos.templates.gitignores()),
  ])
  const owners = await possibleOwners(user.login, wanted)

  return (
    <div className={styles.page}>
      <PageHeading title="New repository">Holds the files of a project and their whole history.</PageHeading>
      <NewRepositoryForm
        me={user.login}
        owners={owners}
        initialOwner={owners.find(name => isSame(name, wanted)) ?? user.login}
        baseUrl={base_url}
        gitignores={gitignores}
      />
    </div>
  )
}
