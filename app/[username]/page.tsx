import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { OrgHome } from '@/app/_features/account/org-home'
import { PersonHome } from '@/app/_features/account/person-home'
import { OrgFrame } from '@/app/_features/orgs/org-frame'
import { readOrgIfAny } from '@/app/_features/orgs/read-org'
import { publicRepositoryList, repositoryList } from '@/app/_lib/lists'
import { decodeSegment } from '@/app/_lib/paths'
import {
  caller,
  currentPath,
  currentSession,
  listChoiceIn,
  orNotFound,
  requireSetUp,
  type SearchParams,
} from '@/app/_lib/server'

interface AccountPageProps {
  params: Promise<{ username: string }>
  searchParams: SearchParams
}

export async function generateMetadata({ params }: AccountPageProps): Promise<Metadata> {
  return { title: decodeSegment((await params).username) }
}

/**
 * Profile page of the person or organization with this name; people and organizations share one namespace.
 */
export default async function AccountPage({ params, searchParams }: AccountPageProps): Promise<ReactNode> {
  await requireSetUp()
  const { username } = await params
  const [overview, session] = await Promise.all([readOrgIfAny(username), currentSession()])
  const choice = await listChoiceIn(searchParams, session ? repositoryList : publicRepositoryList)
  if (overview) {
    return (
      <OrgFrame overview={overview}>
        <OrgHome overview={overview} isSignedIn={session !== null} choice={choice} />
      </OrgFrame>
    )
  }
  const user = await orNotFound((await caller()).users.get({ username }))
  if (user.login !== username) redirect((await currentPath()).replace(/^\/[^/?]+/, `/${user.login}`))
  return <PersonHome user={user} me={session?.user.id} choice={choice} />
}
