import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { requireAdmin } from '@/app/_lib/gates'
import { Hydrate } from '@/app/_lib/hydrate'
import { usersQuery } from '@/app/_lib/queries'
import { pageParam, type SearchParams, textParam } from '@/app/_lib/search-params'
import { caller } from '@/app/_lib/server'
import { UsersScreen } from './users-screen'

export const metadata: Metadata = { title: 'Users' }

export default async function UsersPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireAdmin()
  const [q, page] = await Promise.all([textParam(searchParams, 'q'), pageParam(searchParams)])
  const users = await (await caller()).users.list({ q, page })
  return (
    <Hydrate entries={[[usersQuery(q, page), users]]}>
      <UsersScreen q={q} page={page} />
    </Hydrate>
  )
}
