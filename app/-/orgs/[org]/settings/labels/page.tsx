import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { LabelsScreen } from '@/app/_features/labels/labels-screen'
import { labelsQuery } from '@/app/_features/labels/queries'
import { readOrgAsManager } from '@/app/_features/orgs/read-org'
import { Hydrate } from '@/app/_lib/hydrate'
import { decodeSegment } from '@/app/_lib/paths'
import { caller, pageParam, type SearchParams } from '@/app/_lib/server'

interface OrgLabelsPageProps {
  params: Promise<{ org: string }>
  searchParams: SearchParams
}

export async function generateMetadata({ params }: OrgLabelsPageProps): Promise<Metadata> {
  return { title: `Labels · ${decodeSegment((await params).org)}` }
}

export default async function OrgLabelsPage({
  params,
  searchParams,
}: OrgLabelsPageProps): Promise<ReactNode> {
  const { organization } = await readOrgAsManager((await params).org)
  const holder = { org: organization.name }
  const page = await pageParam(searchParams)
  const labels = await (await caller()).labels.page.show({ holder, page })
  return (
    <Hydrate entries={[[labelsQuery(holder, page), labels]]}>
      <LabelsScreen holder={holder} topics={[{ topic: 'organization', id: organization.id }]} page={page} />
    </Hydrate>
  )
}
