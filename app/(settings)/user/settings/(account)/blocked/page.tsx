import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { BlockForm } from '@/app/_features/blocks/block-form'
import { BlockedList } from '@/app/_features/blocks/blocked-list'
import { Hydrate } from '@/app/_lib/hydrate'
import { blocksQuery } from '@/app/_lib/queries/blocks'
import { caller, pageParam, requireSession, type SearchParams } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Blocked users' }

export default async function BlockedPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireSession()
  const page = await pageParam(searchParams)
  const blocked = await (await caller()).blocks.list({ page })
  return (
    <Hydrate entries={[[blocksQuery(undefined, page), blocked]]}>
      <PageHeading title="Blocked users">
        People aren’t notified when you block them. You can unblock them at any time.
      </PageHeading>
      <BlockForm />
      <BlockedList page={page} />
    </Hydrate>
  )
}
