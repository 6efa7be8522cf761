'use client'
import type { ReactNode } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'

/** Makes a release a draft again; asked first, as publishing it anew does not undo all of it. */
export function WithdrawRelease({
  tag,
  withdraw,
}: {
  tag: string
  withdraw: () => Promise<void>
}): ReactNode {
  return (
    <ConfirmButton
      label="Convert to draft…"
      variant="default"
      title={`Convert ${tag} to a draft?`}
      confirm="Convert to draft"
      run={withdraw}
      done={`${tag} is a draft again`}
      onDone={() => undefined}
    >
      <p>
        Only people who can write releases see it then, and links to it and to its files stop working for
        everybody else. Once it is published again, it has a new date.
      </p>
      <p>The tag {tag} stays in the repository. Changes that are not saved stay in the form.</p>
    </ConfirmButton>
  )
}
