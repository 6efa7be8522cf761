import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { readOrgAsManager } from '@/app/_features/orgs/read-org'
import { NewTeamForm } from '@/app/_features/teams/new-team-form'

export const metadata: Metadata = { title: 'New team' }

interface NewTeamPageProps {
  params: Promise<{ org: string }>
}

export default async function NewTeamPage({ params }: NewTeamPageProps): Promise<ReactNode> {
  const { organization } = await readOrgAsManager((await params).org)
  return (
    <>
      <PageHeading title="New team">
        After you create the team, you can add members and repositories.
      </PageHeading>
      <NewTeamForm org={organization.name} />
    </>
  )
}
