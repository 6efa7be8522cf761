import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { OrgsScreen } from '@/app/_features/administration/orgs-screen'
import { Hydrate } from '@/app/_lib/hydrate'
import { siteOrgList } from '@/app/_lib/lists'
import { siteOrgsQuery } from '@/app/_lib/queries/administration'
import { caller, listChoiceIn, requireAdmin, type SearchParams } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Organizations' }

export default async function SiteOrganizationsPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireAdmin()
  const choice = await listChoiceIn(searchParams, siteOrgList)
  const found = await (await caller()).orgs.browse(choice)
  return (
    <Hydrate entries={[[siteOrgsQuery(choice), found]]}>
      <OrgsScreen />
    </Hydrate>
  )
}
