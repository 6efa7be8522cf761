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
  const [wanted, name, { base_url }, gitignores] = await Promise.all([
    textParam(searchParams, 'owner'),
    textParam(searchParams, 'name'),
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
        initialName={name.slice(0, 100)}
        baseUrl={base_url}
        gitignores={gitignores}
      />
    </div>
  )
}

/**
 * Who a new repository can belong to: oneself, and the organizations one may make repositories in. The one asked for
 * counts too when it is none of one's own, as administrators of the site may use any.
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
