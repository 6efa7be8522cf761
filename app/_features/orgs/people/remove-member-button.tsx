'use client'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '@/app/_components/primer'
import { useMoveOn } from '@/app/_lib/use-move-on'
import { RemoveMemberDialog } from './remove-member-dialog'

export function RemoveMemberButton({ org, username }: { org: string; username: string }): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  const moveOn = useMoveOn()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        ref={button}
        size="small"
        variant="danger"
        aria-label={`Remove ${username}`}
        onClick={() => setAsking(true)}
      >
        Remove
      </Button>
      {asking ? (
        <RemoveMemberDialog
          org={org}
          username={username}
          onRemoved={() => button.current && moveOn.from(button.current)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
