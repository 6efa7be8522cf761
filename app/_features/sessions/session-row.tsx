'use client'
import { DeviceDesktopIcon, DeviceMobileIcon } from '@primer/octicons-react'
import type { MouseEvent, ReactNode } from 'react'
import { ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { Button, Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import type { Session } from '@/server/sessions/schema'
import { browserName, isMobile } from './browser-name'

interface SessionRowProps {
  session: Session
  onEnd: (event: MouseEvent<HTMLElement>) => void
}

export function SessionRow({ session, onEnd }: SessionRowProps): ReactNode {
  const { current, user_agent, remote_address, created_at, last_seen_at } = session
  const name = browserName(user_agent)
  return (
    <ListRow
      visual={isMobile(user_agent) ? <DeviceMobileIcon size={24} /> : <DeviceDesktopIcon size={24} />}
      action={
        current ? null : (
          <Button size="small" variant="danger" aria-label={`Sign out ${name}`} onClick={onEnd}>
            Sign out
          </Button>
        )
      }
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
