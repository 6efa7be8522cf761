import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { SearchBox } from '@/app/_components/search-box'
import { readOrgAsMember } from '@/app/_features/orgs/read-org'
import { readOwnTeamIds } from '@/app/_features/teams/read-own-teams'
import { TeamList } from '@/app/_features/teams/team-list'
import { requireSession } from '@/app/_lib/guards'
import { decodeSegment, orgPath } from '@/app/_lib/paths'
import { pageParam, type SearchParams, textParam } from '@/app/_lib/search-params'
import { caller } from '@/app/_lib/server'

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
  // The search finds all teams for site administrators only; for others it would hide what the list shows.
  const q = user.is_admin ? await textParam(searchParams, 'q') : ''
  const { teams } = await caller()
  const [found, own] = await Promise.all([
    q === '' ? teams.ofOrg({ org, page }) : teams.search({ org, q, page }),
    readOwnTeamIds(organization, user),
  ])

  return (
    <>
      <PageHeading
        title="Teams"
        actions={
          access.mayManage ? (
            <ButtonLink href={orgPath(org, 'teams/new')} variant="primary">
              New team
            </ButtonLink>
          ) : null
        }
      >
        A team gives its members the same access to the same repositories.
      </PageHeading>
      {user.is_admin ? <SearchBox label="Search teams" placeholder="Find a team" q={q} /> : null}
      <TeamList org={org} found={found} q={q} ownIds={own} mayOpenAll={access.mayManage} />
    </>
  )
}
