'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ListBox } from '@/app/_components/box'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { sessionsQuery } from '@/app/_lib/queries'
import type { Session } from '@/server/sessions/schema'
import { EndSessionDialog } from './end-session-dialog'
import { SessionRow } from './session-row'

export function SessionList(): ReactNode {
  const { data } = useQuery(sessionsQuery())
  const [doomed, setDoomed] = useState<Session>()
  if (!data) return <ListSkeleton />

  return (
    <>
      <ListBox title="Signed in" total={data.length}>
        {data.map(session => (
          <SessionRow key={session.id} session={session} onEnd={() => setDoomed(session)} />
        ))}
      </ListBox>
      {doomed ? <EndSessionDialog session={doomed} onClose={() => setDoomed(undefined)} /> : null}
    </>
  )
}
