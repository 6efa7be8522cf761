'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { BulkButton } from '@/app/_components/bulk-button'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { DeviceDesktopIcon, DeviceMobileIcon } from '@/app/_components/icons'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { WorkList } from '@/app/_components/work-list'
import { sessionList } from '@/app/_lib/lists'
import { sessionsKey, sessionsQuery } from '@/app/_lib/queries/sessions'
import { trpc } from '@/app/_lib/trpc'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import type { Session } from '@/server/sessions/schema'

/** List of the browsers that the viewer is signed in with, and buttons that sign them out. */
export function SessionList(): ReactNode {
  const list = useListChoice(sessionList)
  const rows = useListRows(sessionsQuery(list.choice))
  const others = list.isNarrowed || !rows.found ? 0 : rows.found.total - 1

  return (
    <WorkList<Session>
      title="Browsers"
      noun="browser"
      icon={DeviceDesktopIcon}
      list={list}
      rows={rows}
      idOf={session => session.id}
      nameOf={longName}
      empty={null}
      forAll={others > 0 ? <EndOthersButton count={others} /> : null}
      row={(session, check) => <SessionRow key={session.id} session={session} check={check} />}
      bulk={{
        takes: session => !session.current,
        actions: (sessions, done) => <EndSeveralButton sessions={sessions} onDone={done} />,
      }}
    />
  )
}

const longName = ({ name, remote_address }: Session): string =>
  remote_address ? `${name} at ${remote_address}` : name

function SessionRow({ session, check }: { session: Session; check: ReactNode }): ReactNode {
  const { current, name, user_agent, remote_address, created_at, last_seen_at } = session
  return (
    <ListRow
      check={check}
      visual={isMobile(user_agent) ? <DeviceMobileIcon size={24} /> : <DeviceDesktopIcon size={24} />}
      action={current ? null : <EndButton session={session} />}
    >
      <RowTitle name={name}>{current ? <Label variant="success">This browser</Label> : null}</RowTitle>
      <RowFacts>
        {remote_address ? <span>{remote_address}</span> : null}
        <span>
          Signed in <RelativeDate value={created_at} />
        </span>
        <span>
          Last seen <RelativeDate value={last_seen_at} />
        </span>
      </RowFacts>
    </ListRow>
  )
}

function EndButton({ session: { id, name, remote_address } }: { session: Session }): ReactNode {
  const queryClient = useQueryClient()
  return (
    <ConfirmButton
      label="Sign out"
      name={`Sign out ${name}`}
      size="small"
      title={`Sign out ${name}?`}
      confirm="Sign out"
      run={() => trpc.sessions.revoke.mutate({ id })}
      done={`Signed out ${name}`}
      onDone={() => queryClient.invalidateQueries({ queryKey: sessionsKey })}
    >
      <p>
        That browser{remote_address ? ` at ${remote_address}` : ''} loses access immediately and has to sign
        in again.
      </p>
    </ConfirmButton>
  )
}

function EndOthersButton({ count }: { count: number }): ReactNode {
  const queryClient = useQueryClient()
  return (
    <ConfirmButton
      label="Sign out everywhere else"
      size="small"
      title="Sign out everywhere else?"
      confirm="Sign out everywhere else"
      run={() => trpc.sessions.revokeOthers.mutate()}
      done="Signed out everywhere else"
      onDone={() => queryClient.invalidateQueries({ queryKey: sessionsKey })}
    >
      <p>
        {count === 1 ? 'One other browser immediately loses' : `${count} other browsers immediately lose`}{' '}
        access until you sign in there again. This browser stays signed in, and access tokens keep working.
      </p>
    </ConfirmButton>
  )
}

interface EndSeveralButtonProps {
  sessions: readonly Session[]
  onDone: () => void
}

function EndSeveralButton({ sessions, onDone }: EndSeveralButtonProps): ReactNode {
  const queryClient = useQueryClient()
  const ids = sessions.map(({ id }) => id)
  return (
    <BulkButton
      verb="Sign out"
      done="Signed out"
      nouns={['browser', 'browsers']}
      names={sessions.map(longName)}
      run={() => trpc.sessions.revokeSeveral.mutate({ ids })}
      onDone={async () => {
        onDone()
        await queryClient.invalidateQueries({ queryKey: sessionsKey })
      }}
    >
      <p>
        {ids.length === 1 ? 'It immediately loses' : 'They immediately lose'} access until you sign in there
        again. Access tokens keep working.
      </p>
    </BulkButton>
  )
}

const isMobile = (userAgent: string): boolean => /iPhone|iPad|Android|Mobile/.test(userAgent)
