import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { readOrgAsMember } from '@/app/_features/orgs/read-org'
import { TeamList } from '@/app/_features/teams/team-list'
import { Hydrate } from '@/app/_lib/hydrate'
import { teamList } from '@/app/_lib/lists'
import { decodeSegment, orgPath } from '@/app/_lib/paths'
import { teamsQuery } from '@/app/_lib/queries/teams'
import { caller, listChoiceIn, type SearchParams } from '@/app/_lib/server'

interface TeamsPageProps {
  params: Promise<{ org: string }>
  searchParams: SearchParams
}

export async function generateMetadata({ params }: TeamsPageProps): Promise<Metadata> {
  return { title: `Teams · ${decodeSegment((await params).org)}` }
}

export default async function TeamsPage({ params, searchParams }: TeamsPageProps): Promise<ReactNode> {
  const { organization, access } = await readOrgAsMember((await params).org)
  const org = organization.name
  const choice = await listChoiceIn(searchParams, teamList)
  const found = await (await caller()).teams.browse({ org, ...choice })

  return (
    <Hydrate entries={[[teamsQuery(org, choice), found]]}>
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
        Teams give their members access to the organization’s repositories.
        {access.may_manage ? null : ' You can view the teams you’re a member of.'}
      </PageHeading>
      <TeamList org={org} mayManage={access.may_manage} />
    </Hydrate>
  )
}
