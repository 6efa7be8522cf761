'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Button } from '@/app/_components/primer'
import { sessionsQuery } from '@/app/_lib/queries'
import { useConfirmation } from '@/app/_lib/use-confirmation'
import type { Session } from '@/server/sessions/schema'
import { EndOtherSessionsDialog } from './end-other-sessions-dialog'
import { EndSessionDialog } from './end-session-dialog'
import { SessionRow } from './session-row'

export function SessionList(): ReactNode {
  const { data } = useQuery(sessionsQuery())
  const ending = useConfirmation<Session | 'others'>()
  if (!data) return <ListSkeleton />
  const others = data.filter(session => !session.current).length

  return (
    <>
      <ListBox
        title="Signed in"
        total={data.length}
        action={
          others > 0 ? (
            <Button size="small" variant="danger" onClick={event => ending.ask('others', event)}>
              Sign out everywhere else
            </Button>
          ) : null
        }
      >
        {data.map(session => (
          <SessionRow key={session.id} session={session} onEnd={event => ending.ask(session, event)} />
        ))}
      </ListBox>
      {ending.subject === 'others' ? (
        <EndOtherSessionsDialog count={others} onClose={ending.close} />
      ) : ending.subject ? (
        <EndSessionDialog session={ending.subject} onClose={ending.close} />
      ) : null}
    </>
  )
}
