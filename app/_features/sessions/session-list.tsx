'use client'
import { DeviceDesktopIcon, DeviceMobileIcon } from '@primer/octicons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox, ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { sessionsKey, sessionsQuery } from '@/app/_lib/queries/sessions'
import { trpc } from '@/app/_lib/trpc'
import type { Session } from '@/server/sessions/schema'

/** The browsers somebody is signed in with, and how to sign them out. */
export function SessionList(): ReactNode {
  const { data } = useQuery(sessionsQuery())
  if (!data) return <ListSkeleton />
  const others = data.filter(session => !session.current).length

  return (
    <ListBox
      title="Signed in"
      total={data.length}
      action={others > 0 ? <EndOthersButton count={others} /> : null}
    >
      {data.map(session => (
        <SessionRow key={session.id} session={session} />
      ))}
    </ListBox>
  )
}

function SessionRow({ session }: { session: Session }): ReactNode {
  const { current, user_agent, remote_address, created_at, last_seen_at } = session
  return (
    <ListRow
      visual={isMobile(user_agent) ? <DeviceMobileIcon size={24} /> : <DeviceDesktopIcon size={24} />}
      action={current ? null : <EndButton session={session} />}
    >
      <RowTitle name={browserName(user_agent)}>
        {current ? <Label variant="success">This browser</Label> : null}
      </RowTitle>
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

function EndButton({ session: { id, user_agent, remote_address } }: { session: Session }): ReactNode {
  const queryClient = useQueryClient()
  const name = browserName(user_agent)
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
        That browser{remote_address ? ` at ${remote_address}` : ''} loses access at once and has to sign in
        again.
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
        {count === 1 ? 'One other browser loses' : `${count} other browsers lose`} access at once, until you
        sign in there again. This one stays signed in, and so do programs with an access token.
      </p>
    </ConfirmButton>
  )
}

// In this order: later browsers also carry the names of earlier ones.
const browsers: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|Chromium\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const firstMatch = (table: [RegExp, string][], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]

/** "Firefox on Linux": what a person recognizes in the text a browser sends of itself. */
function browserName(userAgent: string): string {
  const browser = firstMatch(browsers, userAgent) ?? userAgent.split(/[ /]/, 1)[0]
  const system = firstMatch(systems, userAgent)
  return `${browser || 'Unknown browser'}${system ? ` on ${system}` : ''}`
}

const isMobile = (userAgent: string): boolean => /iPhone|iPad|Android|Mobile/.test(userAgent)
