import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { NotificationsScreen } from '@/app/_features/notifications/notifications-screen'
import { caller, cursorParam, requireSession, type SearchParams } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Notifications' }

export default async function NotificationsPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireSession()
  const cursor = await cursorParam(searchParams)
  const found = await (await caller()).notifications.list({
    cursor: cursor === undefined ? '' : String(cursor),
  })
  return <NotificationsScreen cursor={cursor} found={found} />
}
