import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { EventsScreen } from '@/app/_features/administration/events-screen'
import { caller, cursorParam, requireAdmin, type SearchParams, textParam } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Events' }

export default async function EventsPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireAdmin()
  const word = async (name: string, most: number): Promise<string> =>
    (await textParam(searchParams, name)).slice(0, most)
  const filter = {
    kind: (await word('kind', 60)) || 'people',
    actor: await word('actor', 200),
    place: await word('place', 200),
    from: dayIn(await word('from', 10)),
    to: dayIn(await word('to', 10)),
  }
  const cursor = await cursorParam(searchParams)
  const found = await (await caller()).audit.list({
    ...filter,
    cursor: cursor === undefined ? '' : String(cursor),
  })
  return <EventsScreen filter={filter} cursor={cursor} found={found} />
}

// Ignores text that is not a valid date between 1970 and 2999.
const dayIn = (text: string): string =>
  /^(19[7-9]|2\d\d)\d-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
