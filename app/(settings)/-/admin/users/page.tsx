import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { userChoice, userListInput } from '@/app/_features/users/user-choices'
import { UsersScreen } from '@/app/_features/users/users-screen'
import { Hydrate } from '@/app/_lib/hydrate'
import { usersQuery } from '@/app/_lib/queries/users'
import { caller, pageParam, requireAdmin, type SearchParams, textParam } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Users' }

export default async function UsersPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireAdmin()
  const [q, show, sort, page] = await Promise.all([
    textParam(searchParams, 'q'),
    textParam(searchParams, 'show'),
    textParam(searchParams, 'sort'),
    pageParam(searchParams),
  ])
  const choice = userChoice({ q, show, sort, page })
  const users = await (await caller()).users.list(userListInput(choice))
  return (
    <Hydrate entries={[[usersQuery(userListInput(choice)), users]]}>
      <UsersScreen choice={choice} />
    </Hydrate>
  )
}
