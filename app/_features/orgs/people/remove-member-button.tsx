'use client'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '@/app/_components/primer'
import { useFocusNextRow } from '@/app/_lib/use-focus-next-row'
import { RemoveMemberDialog } from './remove-member-dialog'

export function RemoveMemberButton({ org, username }: { org: string; username: string }): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  const focusNext = useFocusNextRow()
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
          onRemoved={() => button.current && focusNext.from(button.current)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
