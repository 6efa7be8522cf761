import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { decoded } from '@/app/_lib/decoded'
import { requireSetUp } from '@/app/_lib/gates'
import { pageParam, type SearchParams, textParam } from '@/app/_lib/search-params'
import { caller, currentSession, orNotFound } from '@/app/_lib/server'
import { OrgFrame } from '@/app/-/orgs/_org/org-frame'
import { readOrgIfAny } from '@/app/-/orgs/_org/read-org'
import { OrgHome } from './_account/org-home'
import { PersonHome } from './_account/person-home'

interface AccountPageProps {
  params: Promise<{ username: string }>
  searchParams: SearchParams
}

export async function generateMetadata({ params }: AccountPageProps): Promise<Metadata> {
  return { title: decoded((await params).username) }
}

/** People and organizations share the names, and the page at a name. */
export default async function AccountPage({ params, searchParams }: AccountPageProps): Promise<ReactNode> {
  await requireSetUp()
  const { username } = await params
  const [overview, q, page] = await Promise.all([
    readOrgIfAny(username),
    textParam(searchParams, 'q'),
    pageParam(searchParams),
  ])
  if (overview) {
    return (
      <OrgFrame overview={overview}>
        <OrgHome overview={overview} q={q} page={page} />
      </OrgFrame>
    )
  }
  const [user, session] = await Promise.all([
    orNotFound((await caller()).users.get({ username })),
    currentSession(),
  ])
  return <PersonHome user={user} isMe={session?.user.id === user.id} q={q} page={page} />
}
