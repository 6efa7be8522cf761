import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { OrgHome } from '@/app/_features/account/org-home'
import { PersonHome } from '@/app/_features/account/person-home'
import { OrgFrame } from '@/app/_features/orgs/org-frame'
import { readOrgIfAny } from '@/app/_features/orgs/read-org'
import { orderOf } from '@/app/_features/repos/sort-menu'
import { decodeSegment } from '@/app/_lib/paths'
import {
  caller,
  currentPath,
  currentSession,
  orNotFound,
  pageParam,
  requireSetUp,
  type SearchParams,
  textParam,
} from '@/app/_lib/server'

interface AccountPageProps {
  params: Promise<{ username: string }>
  searchParams: SearchParams
}

export async function generateMetadata({ params }: AccountPageProps): Promise<Metadata> {
  return { title: decodeSegment((await params).username) }
}

/** People and organizations share the names, and the page at a name. */
export default async function AccountPage({ params, searchParams }: AccountPageProps): Promise<ReactNode> {
  await requireSetUp()
  const { username } = await params
  const [overview, q, sort, page] = await Promise.all([
    readOrgIfAny(username),
    textParam(searchParams, 'q'),
    textParam(searchParams, 'sort'),
    pageParam(searchParams),
  ])
  if (overview) {
    return (
      <OrgFrame overview={overview}>
        <OrgHome overview={overview} q={q} order={orderOf(sort)} page={page} />
      </OrgFrame>
    )
  }
  const [user, session] = await Promise.all([
    orNotFound((await caller()).users.get({ username })),
    currentSession(),
  ])
  if (user.login !== username) redirect((await currentPath()).replace(/^\/[^/?]+/, `/${user.login}`))
  return <PersonHome user={user} me={session?.user.id} q={q} order={orderOf(sort)} page={page} />
}
