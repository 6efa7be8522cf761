import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { readOrgIfAny } from '@/app/_features/orgs/read-org'
import styles from '@/app/_features/repos/new/new.module.css'
import { NewRepositoryForm } from '@/app/_features/repos/new/new-repository-form'
import { caller, instanceStatus, requireSession, type SearchParams, textParam } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'New repository' }

export default async function NewPage({ searchParams }: { searchParams: SearchParams }): Promise<ReactNode> {
  const { user } = await requireSession()
  const [wanted, name, { base_url }, gitignores, labels] = await Promise.all([
    textParam(searchParams, 'owner'),
    textParam(searchParams, 'name'),
    instanceStatus(),
    caller().then(({ repos }) => repos.templates.gitignores()),
    caller().then(({ labels }) => labels.templates.list()),
  ])
  const owners = await possibleOwners(user.login, wanted)

  return (
    <div className={styles.page}>
      <PageHeading title="New repository">
        A repository contains your project’s files and their history.
      </PageHeading>
      <NewRepositoryForm
        me={user.login}
        owners={owners}
        initialOwner={owners.find(name => isSame(name, wanted)) ?? user.login}
        initialName={name.slice(0, 100)}
        baseUrl={base_url}
        gitignores={gitignores}
        labels={labels}
      />
    </div>
  )
}

/**
 * Returns the accounts that can own the new repository: the viewer and the organizations in which they can
 * create repositories as a member. `wanted`, the owner preselected by the URL, is included if the viewer can
 * create repositories there for another reason, such as being a site administrator.
 */
async function possibleOwners(me: string, wanted: string): Promise<string[]> {
  const memberships = await (await caller()).orgs.listMemberships()
  const own = memberships.filter(membership => membership.may_create_repository)
  const owners = [me, ...own.map(({ organization }) => organization.name)]
  if (wanted === '' || owners.some(name => isSame(name, wanted))) return owners
  const org = await readOrgIfAny(wanted)
  return org?.access.may_create_repository ? [...owners, org.organization.name] : owners
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
