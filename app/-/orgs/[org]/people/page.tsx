import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { MemberList, OwnMembership } from '@/app/_features/orgs/people/member-list'
import { readOrg } from '@/app/_features/orgs/read-org'
import { Hydrate } from '@/app/_lib/hydrate'
import { peopleList, publicPeopleList } from '@/app/_lib/lists'
import { decodeSegment } from '@/app/_lib/paths'
import { peopleQuery } from '@/app/_lib/queries/orgs'
import { caller, currentSession, listChoiceIn, orNotFound, type SearchParams } from '@/app/_lib/server'

interface PeoplePageProps {
  params: Promise<{ org: string }>
  searchParams: SearchParams
}

export async function generateMetadata({ params }: PeoplePageProps): Promise<Metadata> {
  return { title: `People · ${decodeSegment((await params).org)}` }
}

export default async function PeoplePage({ params, searchParams }: PeoplePageProps): Promise<ReactNode> {
  const { organization, access } = await readOrg((await params).org)
  const org = organization.name
  const isInside = access.is_member || access.may_manage
  const choice = await listChoiceIn(searchParams, isInside ? peopleList : publicPeopleList)
  const { orgs } = await caller()
  const [session, members, membership] = await Promise.all([
    currentSession(),
    orNotFound(orgs.members.listPeople({ org, ...choice })),
    access.is_member ? orgs.getMyMembership({ org }) : null,
  ])

  return (
    <Hydrate entries={[[peopleQuery(org, choice), members]]}>
      <PageHeading title="People">
        {isInside
          ? 'Adding someone to a team makes them a member of the organization.'
          : 'Members who have made their membership public.'}
      </PageHeading>
      {membership && session ? <OwnMembership membership={membership} me={session.user.login} /> : null}
      <MemberList org={org} me={session?.user.id} isInside={isInside} mayManage={access.may_manage} />
    </Hydrate>
  )
}
