import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { BlockForm } from '@/app/_features/blocks/block-form'
import { BlockedList } from '@/app/_features/blocks/blocked-list'
import { readOrgAsManager } from '@/app/_features/orgs/read-org'
import { Hydrate } from '@/app/_lib/hydrate'
import { decodeSegment } from '@/app/_lib/paths'
import { blocksQuery } from '@/app/_lib/queries/blocks'
import { caller, pageParam, type SearchParams } from '@/app/_lib/server'

interface OrgBlockedPageProps {
  params: Promise<{ org: string }>
  searchParams: SearchParams
}

export async function generateMetadata({ params }: OrgBlockedPageProps): Promise<Metadata> {
  return { title: `Blocked users · ${decodeSegment((await params).org)}` }
}

export default async function OrgBlockedPage({
  params,
  searchParams,
}: OrgBlockedPageProps): Promise<ReactNode> {
  const { organization } = await readOrgAsManager((await params).org)
  const org = organization.name
  const page = await pageParam(searchParams)
  const blocked = await (await caller()).blocks.listOfOrg({ org, page })
  return (
    <Hydrate entries={[[blocksQuery(org, page), blocked]]}>
      <PageHeading title="Blocked users">
        Blocked users can’t be added to the organization’s teams or as collaborators on its repositories.
      </PageHeading>
      <BlockForm org={org} />
      <BlockedList org={org} page={page} />
    </Hydrate>
  )
}
