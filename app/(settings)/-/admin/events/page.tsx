import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { EventsScreen } from '@/app/_features/administration/events-screen'
import { caller, cursorParam, requireAdmin, type SearchParams, textParam } from '@/app/_lib/server'
import { EventFilter } from '@/server/audit/schema'

export const metadata: Metadata = { title: 'Events' }

export default async function EventsPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireAdmin()
  const names = ['kind', 'actor', 'place', 'from', 'to'] as const
  const words = await Promise.all(names.map(async name => [name, await textParam(searchParams, name)]))
  // What is no choice, such as a day that is still being typed, chooses everything.
  const filter = EventFilter.safeParse(Object.fromEntries(words)).data ?? EventFilter.parse({})
  const cursor = await cursorParam(searchParams)
  const found = await (await caller()).audit.list({
    ...filter,
    cursor: cursor === undefined ? '' : String(cursor),
  })
  return <EventsScreen filter={filter} cursor={cursor} found={found} />
}
