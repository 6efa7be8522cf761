import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { UsersScreen } from '@/app/_features/users/users-screen'
import { Hydrate } from '@/app/_lib/hydrate'
import { userList } from '@/app/_lib/lists'
import { usersQuery } from '@/app/_lib/queries/users'
import { caller, listChoiceIn, requireAdmin, type SearchParams } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Users' }

export default async function UsersPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  const { user } = await requireAdmin()
  const choice = await listChoiceIn(searchParams, userList)
  const users = await (await caller()).users.browse(choice)
  return (
    <Hydrate entries={[[usersQuery(choice), users]]}>
      <UsersScreen me={user.id} />
    </Hydrate>
  )
}
