import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { SearchBox } from '@/app/_components/query-controls'
import { readOrgAsMember } from '@/app/_features/orgs/read-org'
import { TeamList } from '@/app/_features/teams/team-list'
import { decodeSegment, orgPath } from '@/app/_lib/paths'
import { caller, pageParam, requireSession, type SearchParams, textParam } from '@/app/_lib/server'

interface TeamsPageProps {
  params: Promise<{ org: string }>
  searchParams: SearchParams
}

export async function generateMetadata({ params }: TeamsPageProps): Promise<Metadata> {
  return { title: `Teams of ${decodeSegment((await params).org)}` }
}

export default async function TeamsPage({ params, searchParams }: TeamsPageProps): Promise<ReactNode> {
  const { organization, access } = await readOrgAsMember((await params).org)
  const org = organization.name
  const [{ user }, page] = await Promise.all([requireSession(), pageParam(searchParams)])
  const q = user.is_admin ? await textParam(searchParams, 'q') : ''
  const found = await (await caller()).teams.browse({ org, q, page })

  return (
    <>
      <PageHeading
        title="Teams"
        actions={
          access.may_manage ? (
            <ButtonLink href={orgPath(org, 'teams/new')} variant="primary">
              New team
            </ButtonLink>
          ) : null
        }
      >
        A team gives its members the same access to the same repositories.
      </PageHeading>
      {user.is_admin ? <SearchBox label="Search teams" placeholder="Find a team" q={q} /> : null}
      <TeamList org={org} found={found} q={q} mayOpenAll={access.may_manage} />
    </>
  )
}
